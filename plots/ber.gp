# Bit error rate over SNR:
#
#     gnuplot -c plots/ber.gp OUTPUT.svg|.png DIR [DIR ...]
#
# reads ber.csv and the title in run.json of up to eight result folders. See plots/README.md.

if (ARGC < 2) {
    print "usage: gnuplot -c plots/ber.gp OUTPUT.svg|.png DIR [DIR ...]"
    exit status 2
}
output_file = ARG1
n_dirs = ARGC - 1
array dir[n_dirs]
do for [d=1:n_dirs] { dir[d] = ARGV[d+1] }
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

file(d) = dir[d]."/ber.csv"
# Of a series: number of rows, of those with errors, an interval, a closed form and a z, lowest and
# highest rate (a bound where no error was seen; a bar that goes
# down for more than a decade or so may leave the picture).
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; p = $c["ber"] + 0; \
      low = $c["ber_low"] + 0; high = $c["ber_high"] + 0; low = low > p / 20 ? low : p > 0 ? p / 20 : high; \
      high = high > p ? high : p } \
    !(s in n) { name[++series] = s; x0[s] = x1[s] = x; y0[s] = 1; y1[s] = 0 } \
    { n[s]++; errors[s] += p > 0; bars[s] += p > 0 && $c["ber_low"] != ""; \
      theory[s] += $c["ber_theory"] != ""; exact[s] += $c["z"] != ""; if (x < x0[s]) x0[s] = x; if (x > x1[s]) x1[s] = x; \
      if (low > 0 && low < y0[s]) y0[s] = low; if (high > y1[s]) y1[s] = high } \
    END { for (i = 1; i <= series; i++) { s = name[i]; \
        print s, x0[s], x1[s], n[s], errors[s], bars[s], theory[s], exact[s], y0[s], y1[s] } }'
n_facts = 11
several_titles = "Bit error rate"
load here."series.gp"
n_rows(s) = int(fact(s, 5))
n_errors(s) = int(fact(s, 6))
n_bars(s) = int(fact(s, 7))
n_theory(s) = int(fact(s, 8))
n_exact(s) = int(fact(s, 9))
y_low = 1.0; y_high = 0.0
most_rows = 0; any_bars = 0; any_theory = 0; any_bound = 0; any_join = 0; approximate = ""
do for [s=1:n_series] {
    if (real(fact(s, 10)) < y_low) { y_low = real(fact(s, 10)) }
    if (real(fact(s, 11)) > y_high) { y_high = real(fact(s, 11)) }
    if (n_rows(s) > most_rows) { most_rows = n_rows(s) }
    any_bars = any_bars || n_bars(s)
    any_theory = any_theory || n_theory(s)
    any_join = any_join || (n_theory(s) == 0 && n_errors(s) > 1)
    if (n_theory(s) && n_errors(s) && !n_exact(s) && !place(approximate, detector(s))) {
        approximate = approximate." ".detector(s)
    }
    any_bound = any_bound || n_errors(s) < n_rows(s)
}

# Dashes tell apart what shapes do.
dash(s) = several || words(csis) > 1 ? (kind(s) - 1) % 4 + 1 : 1
if (words(csis) > 1) { set key width 2 }
size = most_rows > 60 ? 0.5 : 1.2
# Shapes that come later are smaller, so that what they lie on shows.
scale(s) = kind(s) == 1 ? 1.3 : kind(s) == 2 ? 0.75 : 1.0

# Axes.
set ylabel "bit error rate" textcolor rgb ink
set logscale y
set format y "10^{%T}"
set mytics 10
y_top = 10.0 ** ceil(log10(y_high) - 1e-9)
y_decade = 10.0 ** floor(log10(0.8 * y_low))
y_bottom = 0.8 * y_low > 3.0 * y_decade ? 3.0 * y_decade : y_decade
set yrange [y_bottom < y_top / 90.0 ? y_bottom : y_top / 100.0:y_top]

# Columns of one series with errors, and without.
wrong(s) = of(s) && column("bit_errors") > 0 ? column("snr_db") : NaN
clean(s) = of(s) && column("bit_errors") == 0 ? column("snr_db") : NaN

open_triangle = "with points pointtype 10 linewidth 1.5"
curves = ""
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    if (n_theory(s) == 0 && n_errors(s) > 1) {
        curves = curves.source.sprintf("(wrong(%d)):(column('ber')) smooth unique ", s) \
                 .sprintf("with lines linewidth %g dashtype 3", words(csis) > 1 ? 1.2 : 0.7) \
                 .paint_it."notitle, "
    }
    if (n_bars(s)) {
        curves = curves.source \
                 .sprintf("(wrong(%d)):(column('ber')):", s) \
                 ."(column('ber_low')):(column('ber_high')) " \
                 .bars_only.paint_it."notitle, "
    }
    if (n_errors(s)) {
        curves = curves.source.sprintf("(wrong(%d)):(column('ber')) ", s) \
                 .sprintf("with points pointtype look(%d) pointsize scale(%d) * size", s, s).paint_it \
                 .(several ? "notitle, " : sprintf("title label(%d), ", s))
    } else {
        if (!several) {
            curves = curves.sprintf("keyentry with points pointtype look(%d) pointsize size", s) \
                     .paint_it.sprintf("title label(%d), ", s)
        }
    }
    if (n_errors(s) < n_rows(s)) {
        curves = curves.source.sprintf("(clean(%d)):(column('ber_high')) ", s) \
                 .open_triangle." pointsize 1.8 * size".paint_it."notitle, "
        curves = curves.source.sprintf("(clean(%d)):(column('ber_high')):(0):", s) \
                 ."(-0.7 * column('ber_high')) with vectors nohead linewidth 1.5" \
                 .paint_it."notitle, "
    }
}
# Theory lies on top, in ink where it would drown in points of its own colour.
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb %s ", most_rows > 60 ? "ink" : sprintf("hue(%d)", s))
    if (n_theory(s) == 1) {
        curves = curves.source.sprintf("(snr(%d)):(column('ber_theory')) ", s) \
                 ."with points pointtype 2 pointsize 1.8 linewidth 1.2".paint_it."notitle, "
    }
    if (n_theory(s) > 1) {
        curves = curves.source.sprintf("(snr(%d)):(column('ber_theory')) smooth unique ", s) \
                 .sprintf("with lines linewidth 1.2 dashtype %d", dash(s)).paint_it."notitle, "
    }
}
# Several folders: a legend of their colours, and one of shapes.
do for [d=1:several ? n_dirs : 0] {
    curves = curves.sprintf("keyentry with lines linewidth 4 linecolor rgb paint(%d) ", d) \
             .sprintf("title short_name(%d), ", d)
}
kinds = ""
do for [s=1:several ? n_series : 0] {
    if (!place(kinds, sprintf("%d", kind(s)))) {
        kinds = kinds.sprintf(" %d", kind(s))
        curves = curves.sprintf("keyentry with points pointtype look(%d) ", s) \
                 .sprintf("pointsize scale(%d) * size linecolor rgb ink title label(%d), ", s, s)
    }
}
theory_title = "theory".(strlen(approximate) ? " (approximate:".approximate.")" : "")
theory_key = most_rows > 1 ? "with lines linewidth 1.2" : "with points pointtype 2 pointsize 1.8"
if (any_theory) { curves = curves."keyentry ".theory_key." linecolor rgb ink title theory_title, " }
if (any_join) {
    curves = curves."keyentry with lines linewidth 1.2 dashtype 3 linecolor rgb ink " \
             ."title 'measured points, joined', "
}
if (any_bars) { curves = curves."keyentry ".bars_only." linecolor rgb ink title '95 % interval', " }
if (any_bound) {
    curves = curves."keyentry ".open_triangle." pointsize 1.8 linecolor rgb ink " \
             ."title 'no error seen: upper bound', "
}
eval "plot ".curves[1:strlen(curves)-2]
