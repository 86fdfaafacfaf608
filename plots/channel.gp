# A channel as it was drawn, and the tests of its statistics:
#
#     gnuplot -c plots/channel.gp OUTPUT CHANNEL
#
# draws what `ltesim plot` and runs with --verify have written to CHANNEL: the grid, facts, correlations. See
# plots/README.md.

if (ARGC != 2) {
    print "usage: gnuplot -c plots/channel.gp OUTPUT CHANNEL"
    exit status 2
}
output_file = ARG1
load ARG2
if (figure eq "column") { tall = 1250 }
set encoding default # of the name of a folder each byte counts
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

set datafile missing NaN
set label 1 title at screen 0.5,(figure eq "column" ? 0.98 : 0.965) center noenhanced font sized(heading) textcolor rgb ink
set label 2 facts at screen 0.5,(figure eq "column" ? 0.935 : 0.92) center noenhanced font sized((figure eq "column" ? 0.72 : 0.88) * letters) textcolor rgb ink
set multiplot

# Left: |h|^2 of one antenna pair, time to the right and frequency up.
stacked = figure eq "column"
set lmargin at screen (stacked ? 0.17 : 0.075)
set rmargin at screen (stacked ? 0.78 : 0.475)
set tmargin at screen (stacked ? 0.885 : 0.83)
set bmargin at screen (stacked ? 0.67 : 0.17)
set title "One antenna pair: |h|², at most 300 subcarriers" textcolor rgb ink
set xlabel "time (ms)" textcolor rgb ink
set ylabel "subcarrier (15 kHz each)" textcolor rgb ink
set cblabel "|h|² (dB)" textcolor rgb ink offset 1.2
set palette defined (0 "#1b0c41", 0.3 "#4a4e8f", 0.55 "#2f8c8c", 0.8 "#8fc95a", 1 "#fdf2a0")
set cbrange [-25:10]
set cbtics 5 scale 0.3
if (stacked) {
    set colorbox user origin screen 0.80,0.67 size screen 0.03,0.215
} else {
    set colorbox user origin screen 0.487,0.17 size screen 0.012,0.66
}
unset grid
set border 15 linecolor rgb ink
set autoscale fix
set tics out
plot $grid using 1:2:3 with image notitle
unset colorbox
unset label
set autoscale
set border 3 linecolor rgb ink
set grid xtics ytics linestyle 101

# Right: how the channel correlates, measured points on what theory expects.
set lmargin at screen (stacked ? 0.17 : 0.65)
set rmargin at screen (stacked ? 0.96 : 0.975)
measured = " using 1:2 with points pointtype 6 pointsize 0.9 linewidth 1.3 linecolor rgb paint(0)"
expected = " using 1:3 with lines linewidth 1.3 linecolor rgb ink"
set key maxcols 2
if (n_over_time) {
    set tmargin at screen (stacked ? 0.55 : 0.83)
    set bmargin at screen (stacked ? 0.42 : 0.59)
    unset key
    set title "Over time; theory: J_0(2{/Symbol p} f_D {/Symbol t})" textcolor rgb ink
    set xlabel "lag (ms)" textcolor rgb ink
    set ylabel "autocorrelation" textcolor rgb ink
    set xrange [0:*]
    set yrange [*<-0.05:1.05]
    eval "plot $over_time".measured.", $over_time".expected
}
set tmargin at screen (stacked ? (n_over_time ? 0.305 : 0.55) : n_over_time ? 0.43 : 0.83)
set bmargin at screen (stacked ? 0.13 : 0.17)
set key at screen (stacked ? 0.565 : 0.8125),(stacked ? 0.02 : 0.045) center noenhanced
set title "Correlation over frequency" textcolor rgb ink
set xlabel "separation (subcarriers)" textcolor rgb ink
set ylabel "|R({/Symbol D}f)|" textcolor rgb ink
set xrange [0:*]
set yrange [0:1.05]
eval "plot $over_frequency".measured." title 'measured', $over_frequency".expected." title 'theory'"
unset multiplot
