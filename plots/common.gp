# What the figures share: the output and its size, colours, dashes and shapes. Not a script of its own.
#
# Before it stand output_file, and what the program has written: figure ("screen", "column" or "slide"), suffix (".svg",
# ".png" or ".pdf") and title.

set encoding utf8

# Lengths below are of a figure of so many units; how wide it is on paper, and how much finer a PNG is than that. A
# script whose figure is as tall as what it holds sets tall before.
if (figure eq "column") {
    units_x = 640; units_y = exists("tall") ? tall : 560; letters = 20; heading = 21
    paper_cm = 8.5; finer = 2.0; strong = 1.3
} else { if (figure eq "slide") {
    units_x = 1280; units_y = exists("tall") ? tall : 720; letters = 24; heading = 31; paper_cm = 25.4; finer = 1.5; strong = 1.8
} else {
    units_x = 1200; units_y = exists("tall") ? tall : 800; letters = 17; heading = 24; paper_cm = 20.0; finer = 1.0; strong = 1.3
} }

# Opens the figure; the program has decided the format, since the name is one of a file in memory.
if (suffix eq ".svg") {
    pixel = 1.0
    set terminal svg size units_x,units_y dynamic font sprintf("sans-serif,%g", letters) background "white" \
        linewidth strong
} else { if (suffix eq ".png") {
    pixel = 0.75 # points of a pixel
    set terminal pngcairo size finer * units_x,finer * units_y font sprintf("sans-serif,%g", pixel * letters) \
        fontscale finer background "white" linewidth finer * strong pointscale finer
} else { if (suffix eq ".pdf") {
    pixel = paper_cm / units_x / 2.54 * 72.0
    set terminal pdfcairo size paper_cm cm,paper_cm * units_y / units_x cm \
        font sprintf("sans-serif,%.3g", pixel * letters) linewidth 1.4 * pixel * strong \
        pointscale (figure eq "screen" ? 0.45 : 0.4) # its points do not scale with the letters
} else {
    print "the suffix must be .svg, .png or .pdf"
    exit status 2
} } }
set output output_file
sized(size) = sprintf(",%.4g", pixel * size)

# Okabe and Ito's colours, told apart by colour-blind readers too, from 0 on; below 0 ink, and what lies in the
# background.
array colour[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31"]
ink = "#404040"
paint(i) = i == -2 ? "#b0b0b0" : i < 0 ? ink : colour[i % 8 + 1]

# Styles from 0 on: a dash, and a shape; from 8 on the same shapes, open.
array dashes[8] = [1, 2, 4, 5, 3, 2, 4, 5]
array filled[8] = [7, 5, 9, 13, 15, 3, 2, 1]
array open[8] = [6, 4, 8, 12, 14, 1, 3, 2]
dash(i) = dashes[i % 8 + 1]
shape(i) = i % 16 < 8 ? filled[i % 8 + 1] : open[i % 8 + 1]
bound(i) = i % 16 < 8 ? 11 : 10

set border 3 linecolor rgb ink
set format "%g"
set tics nomirror scale 0.6 textcolor rgb ink
set style line 101 linetype 1 linecolor rgb "#c0c0c0" linewidth 0.7 dashtype solid
set style line 102 linetype 1 linecolor rgb "#e4e4e4" linewidth 0.6 dashtype solid
set grid xtics ytics mytics linestyle 101, linestyle 102
key_font = sized(0.92 * letters)
set key noenhanced outside bottom center horizontal Left reverse samplen 2.5 font key_font textcolor rgb ink

# Numbers of an axis: a step of 1, 2 or 5 with at most n of them, and short words for large ones.
nice_step(x, n) = (decade = 10.0 ** floor(log10(x / n)), part = x / n / decade, \
                   decade * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0))
short(x) = x >= 1e6 ? sprintf("%gM", x / 1e6) : x >= 1e4 ? sprintf("%gk", x / 1e3) : sprintf("%g", x)

# The same where the numbers have room beside one another: x is as wide as `width`, in units of letters.
longest_number(step, x) = (digits = 0, sum [i=1:int(x / step)] (digits = strlen(short(i * step)) > digits ? \
                           strlen(short(i * step)) : digits, 0), digits)
roomy_step(x, n, width) = n <= 2 || 0.62 * letters * (longest_number(nice_step(x, n), x) + 1) < width * nice_step(x, n) / x ? \
                          nice_step(x, n) : roomy_step(x, n - 1, width)

# Decades from number to number, of up to four letters, of an axis over a ratio that is so wide.
every(ratio, width) = (apart = 3.0 * letters / (width / log10(ratio)), apart > 1.0 ? int(ceil(apart)) : 1)
