# Times as bars, in groups:
#
#     gnuplot -c plots/bars.gp OUTPUT BARS
#
# draws what `ltesim methods NAME -o FILE` has written to BARS: groups, names, times, and what a copy of the same bytes
# takes. See plots/README.md.

if (ARGC != 2) {
    print "usage: gnuplot -c plots/bars.gp OUTPUT BARS"
    exit status 2
}
output_file = ARG1
load ARG2
tall = 160 + 26 * n_lines
set encoding default # of the name of a folder each byte counts
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

small = sized(0.85 * letters)
longest = 0
do for [i=1:n_bars] { longest = strlen(bar_name[i]) > longest ? strlen(bar_name[i]) : longest }
set title title noenhanced font sized(0.9 * heading) textcolor rgb ink
set lmargin at screen (0.5 * longest * letters + 30.0) / units_x
set rmargin at screen 0.96
set xlabel "time (µs); of bars with a mark: what a copy of the same bytes takes, as a share of the bar" textcolor rgb ink
unset key
set logscale x
set format x (high > 2e4 ? "10^{%T}" : "%g")
start = 10.0 ** floor(log10(low) - 0.2)
set xrange [start:high * (high / start) ** 0.18]
set yrange [n_lines + 0.7:0.3]
set ytics scale 0 () font small
do for [i=1:n_bars] { set ytics add (bar_name[i] bar_line[i]) }
do for [i=1:n_groups] {
    set label i group_name[i] at graph 0.005, first group_line[i] left noenhanced font sized(0.9 * letters) textcolor rgb ink
}
unset grid
set grid xtics linestyle 101
plot for [c=0:1] $bar using (start):($4 == c ? $1 : NaN):(start):2:($1 - 0.38):($1 + 0.38) with boxxyerror \
         fillstyle solid 0.8 noborder linecolor rgb paint(c) notitle, \
     $bar using ($3 > 0 ? $3 : NaN):($1 - 0.38):(0):(0.76) with vectors nohead linewidth 1.6 linecolor rgb ink notitle, \
     $bar using ($3 > $2 ? $3 : $2):1:5 with labels left offset 0.6,0 font small noenhanced textcolor rgb ink notitle
