# A channel as it was drawn and proved:
#
#     gnuplot -c plots/channel.gp OUTPUT.svg|.png DIR
#
# reads channel_grid.csv, channel.csv and run.json of a result folder written under --verify. See
# plots/README.md.

if (ARGC != 2) {
    print "usage: gnuplot -c plots/channel.gp OUTPUT.svg|.png DIR"
    exit status 2
}
output_file = ARG1
n_dirs = 1
array dir[1] = [ARG2]
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

grid = dir[1]."/channel_grid.csv"
proof = dir[1]."/channel.csv"
do for [path in "grid proof"] {
    if (!has_file(value(path))) { print "cannot read ", value(path); exit status 1 }
}

# "argument measured expected" lines of a property, arguments in its unit.
lines_of(property, unit) = sprintf("NR > 1 && $1 == \"%s\" { print $2 * %g, $3, $4 }", property, unit)
count(property) = int(awk_of(sprintf("$1 == \"%s\" { n++ } END { print n + 0 }", property), proof))
over_time = count("time_correlation")
over_frequency = count("frequency_correlation")
failed = json_number(dir[1], "failed")

doppler = json_number(dir[1], "doppler_hz")
motion = doppler > 0 ? sprintf("Doppler %g Hz", doppler) : "constant within a slot"
facts = sprintf("%s, %s, %.0f × %.0f antennas; proof: ", json_string(dir[1], "model"), motion, \
                json_number(dir[1], "rx"), json_number(dir[1], "tx")) \
        .(failed == 0 ? "all tests pass" : sprintf("%.0f tests FAIL", failed))
title = drawable(cut(title_of(dir[1]), 112))
set label 1 title at screen 0.5,0.965 center noenhanced font title_font(title) textcolor rgb ink
set label 2 facts at screen 0.5,0.92 center noenhanced font small_font textcolor rgb ink
set multiplot

# Left: |h|^2 of one antenna pair, time to the right and frequency up.
set lmargin at screen 0.075
set rmargin at screen 0.475
set tmargin at screen 0.83
set bmargin at screen 0.17
set title "One antenna pair: |h|²" textcolor rgb ink
set xlabel "time (ms)" textcolor rgb ink
set ylabel "subcarrier (15 kHz each)" textcolor rgb ink
set cblabel "|h|² (dB)" textcolor rgb ink offset 1.2
set palette defined (0 "#1b0c41", 0.3 "#4a4e8f", 0.55 "#2f8c8c", 0.8 "#8fc95a", 1 "#fdf2a0")
set cbrange [-25:10]
set cbtics 5 scale 0.3
set colorbox user origin screen 0.487,0.17 size screen 0.012,0.66
unset grid
set border 15 linecolor rgb ink
set autoscale fix
set tics out
plot grid using "time_ms":"subcarrier":"h_db" with image notitle
unset colorbox
unset label
set autoscale
set border 3 linecolor rgb ink
set grid xtics ytics linestyle 101

# Right: how the channel correlates, measured points on what theory expects.
set datafile separator whitespace
unset datafile columnheaders
set lmargin at screen 0.65
set rmargin at screen 0.975
thin(n) = sprintf("every %d", n > 60 ? n / 50 : 1) # points that do not hide the line
measured = " using 1:2 with points pointtype 6 pointsize 0.9 linewidth 1.3 linecolor rgb paint(1)"
expected = " using 1:3 with lines linewidth 1.3 linecolor rgb ink"
set key maxcols 2
if (over_time) {
    set tmargin at screen 0.83
    set bmargin at screen 0.59
    unset key
    set title "Autocorrelation over time" textcolor rgb ink
    set xlabel "lag (ms)" textcolor rgb ink
    set ylabel "J_0(2{/Symbol p} f_D {/Symbol t})" textcolor rgb ink
    set xrange [0:*]
    set yrange [*<-0.05:1.05]
    source = "'< '.filter(lines_of('time_correlation', 1e3), proof) "
    eval "plot ".source.thin(over_time).measured.", ".source.expected
}
set tmargin at screen (over_time ? 0.43 : 0.83)
set bmargin at screen 0.17
set key at screen 0.8125,0.045 center noenhanced
set title "Correlation over frequency" textcolor rgb ink
set xlabel "separation (subcarriers)" textcolor rgb ink
set ylabel "|R({/Symbol D}f)|" textcolor rgb ink
set xrange [0:*]
set yrange [0:1.05]
source = "'< '.filter(lines_of('frequency_correlation', 1), proof) "
eval "plot ".source.thin(over_frequency).measured." title 'measured', ".source.expected." title 'theory'"
unset multiplot
