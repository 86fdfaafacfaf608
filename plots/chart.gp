# Curves over SNR:
#
#     gnuplot -c plots/chart.gp OUTPUT CHART
#
# draws what `ltesim plot` and runs have written to CHART: panels (1, or 2 with another one below), and of each the labels,
# ranges, lines, marks, intervals, bounds, legend. See plots/README.md.

if (ARGC != 2) {
    print "usage: gnuplot -c plots/chart.gp OUTPUT CHART"
    exit status 2
}
output_file = ARG1
load ARG2
# A column is as tall as its legend asks for: as many entries side by side as their names let stand there.
columns = 3
longest = 1
do for [i=1:chart_n_key] { longest = strlen(chart_key_name[i]) > longest ? strlen(chart_key_name[i]) : longest }
if (figure eq "column") {
    columns = int(600.0 / (11.0 * longest + 70.0))
    columns = columns < 1 ? 1 : columns
    tall = 400 + 26 * ceil(chart_n_key / real(columns)) + 30 * title_lines + (panels == 2 ? 220 : 0)
}
set encoding default # of the name of a folder each byte counts
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

# The same command for either panel: ~ stands for its name.
of = "chart"
named(s) = (tilde = strstrt(s, "~")) ? s[1:tilde-1].of.named(s[tilde+1:*]) : s

# Kinds of layers: marks, closed form, joined, background. Of many points smaller ones; of later styles, too.
width(kind) = kind == 1 ? 1.4 : kind == 2 ? 0.8 : 0.5
size(style) = (style % 8 == 0 ? 1.1 : 0.9)
draw = "plot for [i=1:~_n_line] $~_line index i-1 using 1:2 with lines linewidth width(~_line_kind[i]) " \
       ."dashtype dash(~_line_style[i]) linecolor rgb paint(~_line_colour[i]) notitle, " \
       ."for [i=1:~_n_bar] $~_bar index i-1 with yerrorbars pointtype 0 linewidth 1.3 " \
       ."linecolor rgb paint(~_bar_colour[i]) notitle, " \
       ."for [i=1:~_n_mark] $~_mark index i-1 using 1:2 with points pointtype shape(~_mark_style[i]) " \
       ."pointsize size(~_mark_style[i]) linecolor rgb paint(~_mark_colour[i]) notitle, " \
       ."for [i=1:~_n_bound] $~_bound index i-1 using 1:2 with points pointtype bound(~_bound_style[i]) pointsize 1.4 linewidth 1.3 " \
       ."linecolor rgb paint(~_bound_colour[i]) notitle, "
rgb(i) = int("0x".colour[int(i) % 8 + 1][2:7])

# Kinds of entries: curve, colour, line, joined, interval, bound, note.
look(kind, colour, style) = \
    kind == 0 ? sprintf("linespoints linewidth 1.2 dashtype %d pointtype %d pointsize %g", dash(style), shape(style), size(style)) : \
    kind == 1 ? "lines linewidth 4" : \
    kind == 2 ? sprintf("lines linewidth 1.4 dashtype %d", dash(style)) : \
    kind == 3 ? "lines linewidth 0.8" : \
    kind == 4 ? "yerrorbars linewidth 1.3 pointtype 0" : \
    kind == 5 ? "points pointtype 11 pointsize 1.4 linewidth 1.3" : "lines linewidth 0.1"
keys = ""
do for [i=1:chart_n_key] {
    keys = keys."keyentry with ".look(chart_key_kind[i], chart_key_colour[i], chart_key_style[i]) \
           .sprintf(" linecolor rgb %s title chart_key_name[%d], ", chart_key_kind[i] == 6 ? "'white'" : sprintf("paint(%d)", chart_key_colour[i]), i)
}

set ytics nomirror
set title title noenhanced font sized(heading) textcolor rgb ink
if (panels == 2) {
    # The legend stands below both: rows of as many entries as fit.
    if (figure ne "column") {
        room = int(0.87 * units_x / (letters * (0.55 * longest + 5.8)))
        columns = room < 1 ? 1 : room < columns ? room : columns
    }
    rows = ceil(chart_n_key / real(columns))
    foot = (rows * (suffix eq ".svg" ? 1.4 : 1.1) + 0.8) * letters / units_y
    set multiplot
    set key at screen 0.5,0.5 * letters / units_y bottom center maxcols columns
    set lmargin at screen (figure eq "column" ? 0.17 : 0.1)
    set rmargin at screen 0.97
    set tmargin at screen 1.0 - (1.3 * title_lines * heading + 1.8 * letters) / units_y
    set bmargin at screen foot + 0.36
    set format x ""
} else {
    set key maxcols columns
    set xlabel chart_x_label."\n " noenhanced textcolor rgb ink
    set rmargin 3
}
set ylabel chart_y_label noenhanced textcolor rgb ink
set xrange [chart_x_low:chart_x_high]
set yrange [chart_y_low:chart_y_high]
if (chart_y_logarithmic) {
    set logscale y
    set format y "10^{%T}"
    set mytics 10
}
if (chart_gain) {
    set arrow 1 from chart_gain_x0,chart_gain_y to chart_gain_x1,chart_gain_y heads size screen 0.008,25 front \
        linewidth 1.2 linecolor rgb ink
    do for [i=1:2] {
        words = i == 1 ? chart_gain_text : chart_gain_note
        look = sprintf("front noenhanced font '%s' textcolor rgb ink", sized((i == 1 ? 0.92 : 0.8) * letters))
        if (chart_gain_words == 1) { # right of it, above falling curves
            eval "set label i words at chart_gain_x1,chart_gain_y left offset 1,(2.9-i) ".look
        } else { if (chart_gain_words == 2) { # below it
            eval "set label i words at 0.5 * (chart_gain_x0 + chart_gain_x1),chart_gain_y center offset 0,(0.1-i) ".look
        } else {
            eval "set label i words at chart_gain_x0,chart_gain_y right offset -1,(0.4-i) ".look
        } }
    }
}
words = ""
do for [side in "above below"] {
    if (value("chart_n_".side)) {
        words = words."$chart_".side." using 1:2:(strcol(3)):(rgb($4)) with labels font sized(0.75 * letters) " \
                ."textcolor rgb variable offset 0,".(side eq "above" ? "0.7" : "-0.8")." notitle, "
    }
}
eval named(draw).words.keys."NaN notitle"

if (panels == 2) {
    of = "panel"
    unset title
    unset key
    unset arrow
    unset label
    unset logscale
    unset mytics
    set format x "%g"
    set format y "%g"
    set xlabel panel_x_label noenhanced textcolor rgb ink
    set ylabel panel_y_label noenhanced textcolor rgb ink
    set tmargin at screen foot + 0.32
    set bmargin at screen foot + 0.09
    set yrange [panel_y_low:panel_y_high]
    set xzeroaxis linetype 1 linewidth 1.0 linecolor rgb ink
    eval named(draw)."NaN notitle"
    unset multiplot
}
