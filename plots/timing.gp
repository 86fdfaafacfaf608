# Slot latency against the deadline, and where the time goes:
#
#     gnuplot -c plots/timing.gp OUTPUT.svg|.png DIR [DIR ...]
#
# reads latency.csv, timing.csv and run.json (title, deadline.budget_us) of up to eight result
# folders. See plots/README.md.

if (ARGC < 2) {
    print "usage: gnuplot -c plots/timing.gp OUTPUT.svg|.png DIR [DIR ...]"
    exit status 2
}
output_file = ARG1
n_dirs = ARGC - 1
array dir[n_dirs]
do for [d=1:n_dirs] { dir[d] = ARGV[d+1] }
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

latency(d) = dir[d]."/latency.csv"
timing(d) = dir[d]."/timing.csv"
do for [d=1:n_dirs] {
    if (!has_file(timing(d))) { print "cannot read ", timing(d); exit status 1 }
}

# Latencies: "latency share" lines, the share of slots later than that latency. The file has a
# column of quantiles beside the latencies, or every latency in ascending order.
shares = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { x[++n] = $c["latency_us"]; q[n] = "quantile" in c ? $c["quantile"] : 0 } \
    END { if (n) print x[1], 1; \
        for (i = 1; i <= n; i++) print x[i], 1 - ("quantile" in c ? q[i] : i / n) }'
extremes = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { n++; x = $c["latency_us"] + 0; p = "quantile" in c ? 1 - $c["quantile"] : 0; \
      if (n == 1) { x0 = x; p0 = 1 } x1 = x; if (p > 1e-12 && p < p0) p0 = p } \
    END { if (n) print x0, x1, "quantile" in c ? p0 : 1 / n }'
# Stages: a series is a detector with a placement in a folder.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["detector"] " " $c["placement"] } !(s in seen) { seen[s] = 1; print s }'
find_stages = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["stage"]; if ($c["p99_us"] + 0 > top) top = $c["p99_us"] + 0; p = $c["p50_us"] + 0; \
      if (p > 0 && (!least || p < least)) least = p } \
    !(s in seen) { seen[s] = 1; list = list " " s } END { print top + 0, least + 0 list }'

# What the rows of timing.csv are called for people.
stage_name(s) = s eq "corner_turn" ? "reorder" : s eq "alone" ? "back to back" : s
place(list, name) = (sum [i=1:words(list)] (word(list, i) eq name ? i : 0))
several = n_dirs > 1
facts = ""
folders = ""
stages = ""
detectors = ""
curved = ""  # folders with latencies
budgets = "" # deadlines that differ
time_low = 1e30; time_high = 0.0; share_low = 1.0; stage_high = 0.0; stage_low = 1e30
do for [d=1:n_dirs] {
    found = awk_of(find_series, timing(d))
    facts = facts." ".found
    do for [i=1:words(found)/2] {
        folders = folders.sprintf(" %d", d)
        name = word(found, 2 * i - 1)
        if (!place(detectors, name)) { detectors = detectors." ".name }
    }
    found = awk_of(find_stages, timing(d))
    if (real(word(found, 1)) > stage_high) { stage_high = real(word(found, 1)) }
    if (real(word(found, 2)) > 0.0 && real(word(found, 2)) < stage_low) {
        stage_low = real(word(found, 2))
    }
    do for [i=3:words(found)] {
        if (!place(stages, word(found, i))) { stages = stages." ".word(found, i) }
    }
    found = has_file(latency(d)) ? awk_of(extremes, latency(d)) : ""
    if (words(found) == 3) {
        curved = curved.sprintf(" %d", d)
        if (real(word(found, 1)) < time_low) { time_low = real(word(found, 1)) }
        if (real(word(found, 2)) > time_high) { time_high = real(word(found, 2)) }
        if (real(word(found, 3)) < share_low) { share_low = real(word(found, 3)) }
    }
    budget = sprintf("%g", json_number(dir[d], "budget_us"))
    if (real(budget) > 0.0 && !place(budgets, budget)) { budgets = budgets." ".budget }
}
n_series = words(facts) / 2
n_stages = words(stages)
folder(s) = int(word(folders, s))
detector(s) = word(facts, 2 * s - 1)
placement(s) = word(facts, 2 * s)
# One folder: a colour for each series. Several: a colour for each folder, a shade for each
# placement.
placements = ""
do for [s=1:n_series] {
    if (!place(placements, placement(s))) { placements = placements." ".placement(s) }
}
hue(s) = paint(several ? folder(s) : s)
shade(s) = several ? 0.9 * 0.5 ** (place(placements, placement(s)) - 1) : 0.85
where(s) = placement(s) eq "host" ? "from host memory" \
         : placement(s) eq "device" ? "data already on the device" : placement(s)
label(s) = several ? where(s) : detector(s).(words(placements) > 1 ? ", ".where(s) : "")
# The name of a folder's curve, with its detector where the runs differ in it.
own_detector(d) = awk_of('NR == 2 { print ", " $1 }', timing(d))
curve(d) = several ? short_name(d).(words(detectors) > 1 ? own_detector(d) : "") \
         : due."s".(words(placements) > 1 ? ", from host memory" : "")
time_slowest = time_high
do for [b in budgets] {
    if (real(b) < time_low) { time_low = real(b) }
    if (real(b) > time_high) { time_high = real(b) }
}

title = title_of(dir[1])
do for [d=2:n_dirs] { if (title_of(dir[d]) ne title) { title = "Processing time of a slot" } }
title = drawable(cut(title, 112))
set label 1 title at screen 0.5,0.965 center noenhanced font title_font(title) textcolor rgb ink
left_lines = n_dirs + (words(budgets) > 0)
right_lines = several ? words(placements) : n_series
bottom = 0.13 + 0.028 * (left_lines > right_lines ? left_lines : right_lines)
set multiplot
set tmargin at screen 0.88
set bmargin at screen bottom

# Left: the share of slots later than x.
set lmargin at screen 0.085
set rmargin at screen 0.48
set key maxcols 1
# What is due of a code are its blocks, and the latencies are theirs.
due = place(stages, "block") ? "block" : "slot"
# Of one folder also how many are late of how many, and the slowest; allowed: floor((1 - on_time) n).
due_number = several ? NaN : json_number(dir[1], "due")
late_number = several ? NaN : json_number(dir[1], "missed")
late_text(n) = sprintf(": %.0f of %.0f late (%.0f allowed), slowest %.3g µs", late_number, n, \
                       floor((1.0 - json_number(dir[1], "on_time")) * n + 1e-9), time_slowest)
set title (due eq "block" ? "Block latency" : "Slot latency").(due_number > 0 && words(curved) > 0 \
          ? late_text(due_number) : "") textcolor rgb ink
set xlabel "latency (µs)" textcolor rgb ink
set ylabel "fraction of ".due."s with a higher latency" textcolor rgb ink
set logscale y
set format y "10^{%T}"
set mytics 10
share_bottom = 10.0 ** floor(log10(share_low) + 1e-9)
set yrange [share_bottom < 0.01 ? share_bottom : 0.01:1]
if (words(curved) == 0) {
    time_low = words(budgets) ? time_low : 1.0
    time_high = words(budgets) ? time_high : 1.0
    set label 2 "no latencies" at graph 0.5,0.5 center textcolor rgb ink
}
if (time_high > 8.0 * time_low) {
    set logscale x
    set xtics ()
    do for [i=floor(log10(time_low))-1:ceil(log10(time_high))] {
        do for [m in (time_high > 100.0 * time_low ? "1" : "1 2 5")] {
            set xtics add (time_high > 1e3 * time_low && i > 2 ? sprintf("10^{%d}", i) \
                           : sprintf("%g", m * 10.0 ** i) m * 10.0 ** i)
        }
    }
    set xrange [0.85 * time_low:1.18 * time_high]
    set mxtics 10
} else {
    set xrange [0:1.08 * time_high]
    set xtics nice_step(1.08 * time_high, 5)
}
curves = ""
do for [d in curved] {
    curves = curves.sprintf("'< '.filter(shares, latency(%s)) ", d) \
             ."using 1:($2 > 0 ? $2 : 1e-15) with steps linewidth 2 " \
             .sprintf("linecolor rgb paint(several ? %s : 1) ", d) \
             .sprintf("title curve(%s), ", d)
}
do for [d=1:several ? n_dirs : 0] {
    if (!place(curved, sprintf("%d", d))) {
        curves = curves.sprintf("keyentry with lines linewidth 2 linecolor rgb paint(%d) ", d) \
                 .sprintf("title curve(%d), ", d)
    }
}
n_budgets = words(budgets)
do for [b=1:n_budgets] {
    budget = real(word(budgets, b))
    set arrow b from first budget, graph 0 to first budget, graph 1 \
        nohead linewidth 1.6 dashtype 2 linecolor rgb ink
}
if (n_budgets) {
    curves = curves."keyentry with lines linewidth 1.6 dashtype 2 linecolor rgb ink " \
             ."title n_budgets == 1 ? 'deadline, '.word(budgets, 1).' µs' : 'deadlines:'.budgets.' µs', "
}
set datafile separator whitespace
unset datafile columnheaders
eval "plot ".curves."NaN notitle"
set datafile separator comma
set datafile columnheaders
unset arrow
unset label
unset logscale
unset mytics
unset mxtics
set xtics autofreq
set format

# Right: a bar up to the median of each stage, a whisker to the 99th percentile.
set lmargin at screen 0.60
set rmargin at screen 0.975
# A whisker where ten slots or more are slower than it.
few = due_number > 0 && due_number < 1000
set title "Stages: median (bar, number)".(few ? "" : ", 99 % (whisker)") textcolor rgb ink
set xlabel "time (µs)" textcolor rgb ink
unset ylabel
# Whiskers of a disturbed run would leave no bar to be seen: then decades.
stage_high = stage_high > 0.0 ? stage_high : 1.0
decades = stage_high > 200.0 * stage_low
stage_start = decades ? 10.0 ** floor(log10(stage_low) - 0.3) : 0.0
set xtics ()
if (decades) {
    set logscale x
    do for [i=floor(log10(stage_start)):ceil(log10(stage_high))] {
        set xtics add (i > 3 || i < -1 ? sprintf("10^{%d}", i) : sprintf("%g", 10.0 ** i) 10.0 ** i)
    }
    set xrange [stage_start:stage_high * (stage_high / stage_start) ** 0.15]
} else {
    do for [i=0:6] {
        set xtics add (short(i * nice_step(1.18 * stage_high, 5)) i * nice_step(1.18 * stage_high, 5))
    }
    set xrange [0:1.18 * stage_high]
}
floor_of(x) = x < stage_start ? stage_start : x # keeps NaN
set yrange [(n_stages ? n_stages : 1) + 0.55:0.45]
set ytics scale 0 noenhanced ()
do for [i=1:n_stages] { set ytics add (stage_name(word(stages, i)) i) }
unset grid
set grid xtics linestyle 101
height = 0.8 / (n_series ? n_series : 1)
at(s) = place(stages, strcol("stage")) + (s - 0.5) * height - 0.4
of(s) = strcol("detector") eq detector(s) && strcol("placement") eq placement(s)
median(s) = of(s) ? column("p50_us") : NaN
late(s) = of(s) ? column(few ? "p50_us" : "p99_us") : NaN
number(t) = t >= 99.95 ? sprintf("%.0f", t) : t >= 9.995 ? sprintf("%.1f", t) : sprintf("%.2f", t)
if (n_series > 6) { set bars 0 }
curves = ""
do for [s=1:n_series] {
    source = sprintf("timing(folder(%d)) using ", s)
    curves = curves.source \
             .sprintf("(stage_start):(at(%d)):(stage_start):(floor_of(median(%d))):", s, s) \
             .sprintf("(at(%d) - 0.45 * height):(at(%d) + 0.45 * height) ", s, s) \
             .sprintf("with boxxyerror fillstyle solid %g noborder ", shade(s)) \
             .sprintf("linecolor rgb hue(%d) ", s) \
             .(several ? "notitle, " : sprintf("title label(%d), ", s))
    curves = curves.source \
             .sprintf("(floor_of(median(%d))):(at(%d)):(floor_of(median(%d))):(floor_of(late(%d))) ", \
                      s, s, s, s) \
             ."with xerrorbars pointtype 7 pointsize 0 linewidth 1.2 linecolor rgb ink notitle, "
    if (n_series <= 3) {
        curves = curves.source.sprintf("(floor_of(late(%d))):(at(%d)):(number(column('p50_us'))) ", s, s) \
                 ."with labels left offset 0.6,0 font small_font textcolor rgb ink notitle, "
    }
}
do for [k=1:several && words(placements) > 1 ? words(placements) : 0] {
    example = 1
    do for [s=1:n_series] { if (placement(s) eq word(placements, k)) { example = s } }
    tint = shade(example)
    curves = curves.sprintf("keyentry with boxxyerror fillstyle solid %g noborder ", tint) \
             .sprintf("linecolor rgb ink title label(%d), ", example)
}
if (n_stages == 0) {
    set ytics ("" 1)
    set label 2 "no stages" at graph 0.5,0.5 center textcolor rgb ink
}
eval "plot ".curves."NaN notitle"
unset multiplot
