# What each detector needs and costs at a target: the SNR to the right, the work on a slot upwards:
#
#     gnuplot -c plots/pareto.gp OUTPUT PARETO
#
# draws what `ltesim plot` and runs with --pareto have written to PARETO: points, their names, axes. See plots/README.md.

if (ARGC != 2) {
    print "usage: gnuplot -c plots/pareto.gp OUTPUT PARETO"
    exit status 2
}
output_file = ARG1
load ARG2
set encoding default # of the name of a folder each byte counts
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

set datafile missing NaN
set label 1 title at screen 0.5,0.96 center noenhanced font sized(heading) textcolor rgb ink
set label 3 facts at screen 0.5,0.915 - 0.04 * (title_lines - 1) center noenhanced \
    font sized((figure eq "column" ? 0.72 : 0.88) * letters) textcolor rgb ink
set tmargin at screen (figure eq "column" ? 0.85 : 0.87) - 0.04 * (title_lines - 1)
set bmargin at screen (figure eq "column" ? 0.31 : figure eq "slide" ? 0.25 : 0.2)
set lmargin at screen (figure eq "column" ? 0.17 : 0.1)
set rmargin at screen 0.96
set xlabel axis noenhanced textcolor rgb ink
set ylabel work noenhanced textcolor rgb ink

# Room for the names to the right of the points, and above and below them.
stats $points using 1:4 nooutput
low = STATS_min_x; high = STATS_max_x
most = STATS_max_y; least = STATS_min_y
wide = high > low ? high - low : 1.0
set xrange [low - 0.08 * wide : high + 0.25 * wide]
set logscale y
set yrange [least / 1.6 : most * 1.6]
if (budget > least / 1.6 && budget < most * 1.6) {
    set arrow 1 from graph 0, first budget to graph 1, first budget nohead dashtype 2 linecolor rgb ink
    set label 2 sprintf("deadline %g us", budget) at graph 0.99, first budget right offset 0,0.5 font key_font textcolor rgb ink
}
set key at screen 0.5,(figure eq "column" ? 0.085 : 0.045) center noenhanced maxrows (figure eq "column" ? 3 : 1)

on(x) = column(5) == 1 ? x : NaN
off(x) = column(5) == 0 ? x : NaN
# The front: with more SNR the work of the last of it is enough, so it goes to the right before it falls.
plot $points using (on($1)):4 with steps linewidth 1.4 linecolor rgb paint(0) notitle, \
     $points using 1:4:2:3 with xerrorbars pointtype 0 linewidth 1 linecolor rgb paint(-2) title '95 % interval', \
     $points using (on($1)):4 with points pointtype 7 pointsize 1.3 linecolor rgb paint(0) title 'on the front', \
     $points using (off($1)):4 with points pointtype 6 pointsize 1.3 linewidth 1.5 linecolor rgb paint(1) title 'not on the front', \
     $points using (column(6) == 1 ? $1 : NaN):4:(name[int($0) + 1]) with labels left offset 1,0.6 noenhanced font key_font \
         textcolor rgb ink notitle, \
     $points using (column(6) == -1 ? $1 : NaN):4:(name[int($0) + 1]) with labels left offset 1,-0.7 noenhanced font key_font \
         textcolor rgb ink notitle
