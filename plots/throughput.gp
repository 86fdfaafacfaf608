# Throughput of transport blocks over SNR:
#
#     gnuplot -c plots/throughput.gp OUTPUT.svg|.png DIR [DIR ...]
#
# reads bler.csv and the title in run.json of up to eight result folders of runs with a code. See
# plots/README.md.

if (ARGC < 2) {
    print "usage: gnuplot -c plots/throughput.gp OUTPUT.svg|.png DIR [DIR ...]"
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
# Of a series: highest throughput.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; y = $c["peak_bits_per_s"] + 0 } \
    !(s in y1) { name[++series] = s; x0[s] = x1[s] = x; y1[s] = 0 } \
    { if (x < x0[s]) x0[s] = x; if (x > x1[s]) x1[s] = x; if (y > y1[s]) y1[s] = y } \
    END { for (i = 1; i <= series; i++) { s = name[i]; print s, x0[s], x1[s], y1[s] } }'
n_facts = 5
several_titles = "Throughput"
load here."series.gp"
y_high = 0.0
do for [s=1:n_series] { if (real(fact(s, 5)) > y_high) { y_high = real(fact(s, 5)) } }
set ylabel "Mbit/s" textcolor rgb ink
set yrange [0:1.15e-6 * y_high]
curves = ""
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    curves = curves.source.sprintf("(snr(%d)):(1e-6 * column('bits_per_s')) smooth unique with lines linewidth 1.0", s) \
             .paint_it."notitle, ".source \
             .sprintf("(snr(%d)):(1e-6 * column('bits_per_s')) with points pointtype look(%d) pointsize 1.2", s, s) \
             .paint_it.sprintf("title name(%d), ", s)
}
do for [s=1:n_series] {
    curves = curves.sprintf("file(folder(%d)) using (snr(%d)):(1e-6 * column('peak_bits_per_s')) smooth unique ", s, s) \
             ."with lines linewidth 1.0 dashtype 3 linecolor rgb ink ".(s == 1 ? "title 'if no block were wrong', " : "notitle, ")
}
eval "plot ".curves[1:strlen(curves)-2]
