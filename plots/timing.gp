# Latency against the deadline, and where the time goes:
#
#     gnuplot -c plots/timing.gp OUTPUT TIMING
#
# draws what `ltesim plot` and runs have written to TIMING: shares of slots later than a latency, deadlines, stages with
# their bars, all in one unit. See plots/README.md.

if (ARGC != 2) {
    print "usage: gnuplot -c plots/timing.gp OUTPUT TIMING"
    exit status 2
}
output_file = ARG1
load ARG2
if (figure eq "column") { tall = 760 + 34 * n_stages }
set encoding default # of the name of a folder each byte counts
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

# A column has the panels below each other, all others side by side.
stacked = figure eq "column"
smaller = (stacked ? 0.85 : 0.9) * letters
small = sized(smaller)
fitting(s, width) = sized(smaller * strlen(s) * 0.6 > width * units_x ? width * units_x / 0.6 / strlen(s) : smaller)
entry = 1.35 * letters / units_y # height of an entry of a legend
left_entries = n_late + n_budgets
top = 1.0 - (1.4 * title_lines * heading + 3.2 * letters) / units_y
set label 1 title at screen 0.5,(1.0 - 0.9 * heading / units_y) center noenhanced font sized(heading) \
    textcolor rgb ink
set multiplot
set key maxcols 1
foot(entries) = (4.4 * letters) / units_y + entries * entry # axis, its label, a legend
half = stacked ? 0.5 * (top - foot(left_entries) - foot(n_legend)) - 1.1 * letters / units_y : 0.0

# The share of slots later than x.
entries = left_entries > n_legend ? left_entries : n_legend
wide = figure eq "slide" ? 0.03 : 0.0 # larger letters
set lmargin at screen (stacked ? 0.19 : 0.085 + wide)
set rmargin at screen (stacked ? 0.96 : 0.48)
set tmargin at screen top
set bmargin at screen (stacked ? top - half : foot(entries))
set key at screen (stacked ? 0.55 : 0.28),(stacked ? top - half - 4.3 * letters / units_y : foot(entries) - 4.3 * letters / units_y) \
    top center
set title late_title noenhanced font fitting(late_title, stacked ? 0.77 : 0.46) textcolor rgb ink
set xlabel "latency (".unit.")" textcolor rgb ink
set ylabel "fraction of ".due."s later" textcolor rgb ink
set logscale y
set format y "10^{%T}"
set mytics 10
bottom = 10.0 ** floor(log10(share_low) + 1e-9)
set yrange [bottom < 0.01 ? bottom : 0.01:1]
time_low = n_late ? late_low : n_budgets ? budget[1] : 1.0
time_high = n_late ? late_high : n_budgets ? budget[1] : 1.0
if (n_late == 0) { set label 2 "no latencies" at graph 0.5,0.5 center textcolor rgb ink }
do for [i=1:n_budgets] {
    time_low = budget[i] < time_low ? budget[i] : time_low
    time_high = budget[i] > time_high ? budget[i] : time_high
    set arrow i from first budget[i], graph 0 to first budget[i], graph 1 nohead linewidth 1.4 dashtype 2 \
        linecolor rgb ink
}
if (time_high > 8.0 * time_low && time_low > 0.0) {
    set logscale x
    set xtics ()
    do for [i=floor(log10(time_low))-1:ceil(log10(time_high)):every(1.4 * time_high / time_low, (stacked ? 0.77 : 0.395 - wide) * units_x)] {
        do for [m in (time_high > 100.0 * time_low ? "1" : "1 2 5")] {
            set xtics add (short(m * 10.0 ** i) m * 10.0 ** i)
        }
    }
    set xrange [0.85 * time_low:1.18 * time_high]
    set mxtics 10
} else {
    set xrange [0:1.08 * time_high]
    step = roomy_step(1.08 * time_high, 5, (stacked ? 0.77 : 0.395 - wide) * units_x)
    set xtics ()
    do for [i=0:5] { set xtics add (short(i * step) i * step) }
}
curves = "plot for [i=1:n_late] $late index i-1 using 1:2 with steps linewidth 1.8 dashtype dash(late_style[i]) " \
         ."linecolor rgb paint(late_colour[i]) notitle, "
do for [i=1:n_late] {
    curves = curves.sprintf("keyentry with lines linewidth 1.8 dashtype dash(late_style[%d]) ", i) \
             .sprintf("linecolor rgb paint(late_colour[%d]) title late_name[%d], ", i, i)
}
do for [i=1:n_budgets] {
    curves = curves."keyentry with lines linewidth 1.4 dashtype 2 linecolor rgb ink " \
             .sprintf("title sprintf('deadline, %%g µs', budget_us[%d]), ", i)
}
eval curves."NaN notitle"
unset arrow
unset label
unset logscale
unset mytics
unset mxtics
set xtics autofreq
set format x "%g"
set format y

# A bar up to the median of each stage, a whisker to the 99th percentile; the number is the median.
set lmargin at screen (stacked ? 0.27 : 0.60 + 2 * wide)
set rmargin at screen (stacked ? 0.96 : 0.975)
panel = (stacked ? 0.69 : 0.375 - 2 * wide) * units_x
if (stacked) {
    set tmargin at screen foot(n_legend) + half
    set bmargin at screen foot(n_legend)
}
set key at screen (stacked ? 0.55 : 0.79),(foot(stacked ? n_legend : entries) - 4.3 * letters / units_y) top center
set title "stages: median".(whiskers ? " / 99 % (whisker)" : "") font small textcolor rgb ink
set xlabel "time (".unit.")" textcolor rgb ink
unset ylabel
# Whiskers of a disturbed run would leave no bar to be seen: then decades.
decades = stage_high > 200.0 * stage_low
start = decades ? 10.0 ** floor(log10(stage_low) - 0.3) : 0.0
longest = 0
do for [i=1:|$bar|] { longest = strlen(word($bar[i], 7)) > longest ? strlen(word($bar[i], 7)) : longest }
room = 1.0 / (1.0 - 0.48 * letters * (longest + 1.5) / panel) # of the axis to the longest bar, for its numbers
set xtics ()
if (decades) {
    set logscale x
    do for [i=floor(log10(start)):ceil(log10(stage_high)):every((stage_high / start) ** room, panel)] {
        set xtics add (i > 3 || i < -1 ? sprintf("10^{%d}", i) : sprintf("%g", 10.0 ** i) 10.0 ** i)
    }
    set xrange [start:start * (stage_high / start) ** room]
} else {
    step = roomy_step(room * stage_high, stacked ? 4 : 5, panel)
    do for [i=0:7] { set xtics add (short(i * step) i * step) }
    set xrange [0:room * stage_high]
}
set yrange [(n_stages ? n_stages : 1) + 0.55:0.45]
height = units_y * (stacked ? half : top - foot(entries)) / (n_stages + 0.1) # of a stage; low bars have no number
stage_letters = sized(height < smaller ? height : smaller)
set ytics scale 0 () font stage_letters
do for [i=1:n_stages] { set ytics add (stage[i] i) }
unset grid
set grid xtics linestyle 101
array tint[8] = [0.9, 0.7, 0.55, 0.42, 0.32, 0.24, 0.17, 0.1]
shade(style) = tint[int(style) % 8 + 1]
from(x) = x < start ? start : x
bars = "plot "
do for [i=1:n_legend] {
    mine = sprintf("($5 == %d && $6 == %d ? $1 : NaN)", bar_colour[i], bar_style[i])
    bars = bars."$bar using (start):(".mine."):(start):(from($3)):(".mine." - $2):(".mine." + $2) " \
           ."with boxxyerror fillstyle solid ".sprintf("%g", shade(bar_style[i]))." noborder " \
           .sprintf("linecolor rgb paint(bar_colour[%d]) title bar_name[%d], ", i, i)
}
bars = bars."$bar using (from($3)):1:(from($4) - from($3)):(0) with vectors nohead linewidth 1.2 linecolor rgb ink notitle, " \
       ."$bar using (from($4)):(2.2 * $2 * height > 0.85 * letters ? $1 : NaN):7 with labels left offset 0.6,0 font sized(0.8 * letters) textcolor rgb ink notitle, "
if (n_stages == 0) {
    set ytics ("" 1)
    set label 2 "no stages" at graph 0.5,0.5 center textcolor rgb ink
}
eval bars."NaN notitle"
unset multiplot
