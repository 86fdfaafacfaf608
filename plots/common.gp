# What the figures share: words for the shell, titles, colours, the output. Not a script of its own.

set encoding utf8

# The text as one word of the shell, whatever it holds.
escape(s) = (quote_at = strstrt(s, "'")) ? s[1:quote_at-1]."'\\''".escape(s[quote_at+1:*]) : s
word_of(s) = "'".escape(s)."'"
has_file(path) = int(system("test -r ".word_of(path)." && echo 1 || echo 0"))
filter(program, path) = "LC_ALL=C awk -F, ".word_of(program)." < ".word_of(path)
awk_of(program, path) = system(filter(program, path))
folder_name(path) = system("basename -- ".word_of(path))

# The first text called key in DIR/run.json; empty if there is none.
find_text(key) = 's/^.*"'.key.'" *: *"\(\([^"\\]\|\\.\)*\)".*$/\1/p'
json_string(path, key) = system("sed -n ".word_of(find_text(key))." < ".word_of(path."/run.json") \
                                ." 2>/dev/null | head -n 1 | sed 's/\\\\\\(.\\)/\\1/g'")
# The title of DIR/run.json, or else the folder's name.
json_title(path) = json_string(path, "title")
title_of(path) = has_file(path."/run.json") && strlen(json_title(path)) ? json_title(path) \
                                                                        : folder_name(path)

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
    title_font = ",26"; small_font = ",15"
} else {
    if (suffix eq ".png") {
        set terminal pngcairo size 1200,800 font "sans-serif,13" background "white" linewidth 1.3
        title_font = ",20"; small_font = ",11"
    } else {
        print "not the name of an .svg or .png file: ", output_file
        exit status 2
    }
}
set output output_file

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
