# What the figures share: words for the shell, titles, colours, the output. Not a script of its own.

set encoding utf8

# The text as one word of the shell, whatever it holds.
escape(s) = (quote_at = strstrt(s, "'")) ? s[1:quote_at-1]."'\\''".escape(s[quote_at+1:*]) : s
word_of(s) = "'".escape(s)."'"
has_file(path) = int(system("test -r ".word_of(path)." && echo 1 || echo 0"))
filter(program, path) = "LC_ALL=C awk -F, ".word_of(program)." < ".word_of(path)
awk_of(program, path) = system(filter(program, path))
folder_name(path) = system("basename -- ".word_of(path))

# gnuplot runs a name that begins with < or |: none does with ./ before it.
plain(path) = path[1:1] eq "/" ? path : "./".path
output_file = plain(output_file)
do for [d=1:n_dirs] { dir[d] = plain(dir[d]) }

# Folder names as legends have them: what all begin with left out up to a _, and not too long.
array base[n_dirs]
do for [d=1:n_dirs] { base[d] = folder_name(dir[d]) }
shared = ""
do for [i=1:n_dirs > 1 ? strlen(base[1]) : 0] {
    start = base[1][1:i]
    alike = sum [d=1:n_dirs] (base[d][1:i] eq start && strlen(base[d]) > i)
    if (alike == n_dirs && start[i:i] eq "_") { shared = start }
}
cut(s, n) = strlen(s) > n ? s[1:n-1]."…" : s
short_name(d) = cut(base[d][strlen(shared)+1:*], 40)

# The first text called key in DIR/run.json; empty if there is none.
find_text(key) = 's/^.*"'.key.'" *: *"\(\([^"\\]\|\\.\)*\)".*$/\1/p'
json_string(path, key) = system("sed -n ".word_of(find_text(key))." < ".word_of(path."/run.json") \
                                ." 2>/dev/null | head -n 1 | sed 's/\\\\\\(.\\)/\\1/g'")
# The title of DIR/run.json, or else the folder's name.
json_title(path) = json_string(path, "title")
title_of(path) = has_file(path."/run.json") && strlen(json_title(path)) ? json_title(path) \
                                                                        : folder_name(path)
# A long title gets smaller letters, and an end where they would be too small. In a PNG what fonts
# often lack (neither letters of Europe nor punctuation, arrows, mathematics) becomes a ?: in its
# place a box could cover the picture.
title_font_size(s, size) = strlen(s) > 64 ? (strlen(s) > 110 ? 0.58 : 64.0 / strlen(s)) * size : size
rare = 's/\xe2[\x80\x82\x86\x88\x89][\x80-\xbf]/\x01&/g; ' \
       .'s/\x01\xe2\(.\)\(.\)/\x02\1\2/g; s/[\xe0-\xf4][\x80-\xbf]\{2,3\}/?/g; s/\x02/\xe2/g'
drawable(s) = suffix eq ".png" ? system("printf %s ".word_of(s)." | LC_ALL=C sed ".word_of(rare)) : s

# The first number called key in DIR/run.json; NaN if there is none.
json_text(path, key) = system("grep -o ".word_of('"'.key.'" *: *[-+.0-9eE]*')." < " \
                              .word_of(path."/run.json")." | head -n 1 | sed 's/^.*: *//'")
json_number(path, key) = has_file(path."/run.json") && strlen(json_text(path, key)) \
                             ? real(json_text(path, key)) : NaN

# Okabe and Ito's colours, told apart by colour-blind readers too; as many as folders.
array colour[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", \
                   "#8C6D31"]
paint(i) = colour[(i - 1) % 8 + 1]
ink = "#404040"

# Opens the figure; its name decides the format.
suffix = strlen(output_file) > 4 ? output_file[strlen(output_file)-3:*] : ""
if (suffix eq ".svg") {
    set terminal svg size 1200,800 dynamic font "sans-serif,17" background "white" linewidth 1.3
    title_size = 26; small_font = ",15"
} else {
    if (suffix eq ".png") {
        set terminal pngcairo size 1200,800 font "sans-serif,13" background "white" linewidth 1.3
        title_size = 20; small_font = ",11"
    } else {
        print "not the name of an .svg or .png file: ", output_file
        exit status 2
    }
}
set output output_file
title_font(s) = sprintf(",%g", title_font_size(s, title_size))

set datafile separator comma
set datafile missing NaN
set datafile columnheaders
set border 3 linecolor rgb ink
set tics nomirror scale 0.6 textcolor rgb ink
set style line 101 linetype 1 linecolor rgb "#c0c0c0" linewidth 0.7 dashtype solid
set style line 102 linetype 1 linecolor rgb "#e4e4e4" linewidth 0.6 dashtype solid
set grid xtics ytics mytics linestyle 101, linestyle 102
set key noenhanced outside bottom center horizontal Left reverse samplen 2.5 textcolor rgb ink
set bars 0.6

# Numbers of an axis: a step of 1, 2 or 5 with at most n of them, and short words for large ones.
nice_step(x, n) = (decade = 10.0 ** floor(log10(x / n)), part = x / n / decade, \
                   decade * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0))
short(x) = x >= 1e6 ? sprintf("%gM", x / 1e6) : x >= 1e4 ? sprintf("%gk", x / 1e3) : sprintf("%g", x)
