# Block error rate over SNR:
#
#     gnuplot -c plots/bler.gp OUTPUT.svg|.png DIR [DIR ...]
#
# reads bler.csv and the title in run.json of up to eight result folders of runs with a code. See
# plots/README.md.

if (ARGC < 2) {
    print "usage: gnuplot -c plots/bler.gp OUTPUT.svg|.png DIR [DIR ...]"
    exit status 2
}
output_file = ARG1
n_dirs = ARGC - 1
array dir[n_dirs]
do for [d=1:n_dirs] { dir[d] = ARGV[d+1] }
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

file(d) = dir[d]."/bler.csv"
# Of a series: rows with a rate after the first transmission, after the last, whether these differ, lowest rate.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; p = $c["bler"] + 0; q = $c["bler_last"] + 0 } \
    !(s in n) { n[s]; name[++series] = s; x0[s] = x1[s] = x; y0[s] = 1 } \
    { first[s] += p > 0; last[s] += q > 0; differ[s] += p != q; if (x < x0[s]) x0[s] = x; \
      if (x > x1[s]) x1[s] = x; if (p > 0 && p < y0[s]) y0[s] = p; if (q > 0 && q < y0[s]) y0[s] = q } \
    END { for (i = 1; i <= series; i++) { s = name[i]; \
        print s, x0[s], x1[s], first[s], last[s], differ[s], y0[s] } }'
n_facts = 8
several_titles = "Block error rate"
load here."series.gp"
y_low = 1.0
do for [s=1:n_series] { if (real(fact(s, 8)) < y_low) { y_low = real(fact(s, 8)) } }
set ylabel "block error rate" textcolor rgb ink
set logscale y
set format y "10^{%T}"
set mytics 10
set yrange [10.0 ** floor(log10(0.8 * y_low)):1.5]
seen(s, name) = of(s) && column(name) > 0 ? column("snr_db") : NaN
curves = ""
any_last = 0
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    if (int(fact(s, 5))) {
        curves = curves.source.sprintf("(seen(%d, 'bler')):(column('bler')) smooth unique with lines linewidth 1.0", s) \
                 .paint_it."notitle, ".source \
                 .sprintf("(seen(%d, 'bler')):(column('bler')):(column('bler_low')):(column('bler_high')) ", s) \
                 .bars_only.paint_it."notitle, "
    }
    curves = curves.source.sprintf("(seen(%d, 'bler')):(column('bler')) with points pointtype look(%d) pointsize 1.2", s, s) \
             .paint_it.sprintf("title name(%d), ", s)
    if (int(fact(s, 6)) && int(fact(s, 7))) {
        any_last = 1
        curves = curves.source.sprintf("(seen(%d, 'bler_last')):(column('bler_last')) smooth unique with lines linewidth 1.0 dashtype 2", s) \
                 .paint_it."notitle, ".source \
                 .sprintf("(seen(%d, 'bler_last')):(column('bler_last')):(column('bler_last_low')):(column('bler_last_high')) ", s) \
                 .bars_only.paint_it."notitle, "
    }
}
curves = curves."keyentry with lines linewidth 1.0 linecolor rgb ink title 'after the first transmission', "
if (any_last) { curves = curves."keyentry with lines linewidth 1.0 dashtype 2 linecolor rgb ink title 'after the last transmission', " }
curves = curves."keyentry ".bars_only." linecolor rgb ink title '95 % interval', "
eval "plot ".curves[1:strlen(curves)-2]
