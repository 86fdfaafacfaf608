# Throughput of the best of several MCS over SNR:
#
#     gnuplot -c plots/adaptation.gp OUTPUT.svg|.png DIR [DIR ...]
#
# reads envelope.csv, of up to eight folders of runs that list several MCS. See plots/README.md.

if (ARGC < 2) {
    print "usage: gnuplot -c plots/adaptation.gp OUTPUT.svg|.png DIR [DIR ...]"
    exit status 2
}
output_file = ARG1
n_dirs = ARGC - 1
array dir[n_dirs]
do for [d=1:n_dirs] { dir[d] = ARGV[d+1] }
here = ARG0
while (strlen(here) && here[strlen(here):*] ne "/") { here = here[1:strlen(here)-1] }
load here."common.gp"

file(d) = dir[d]."/envelope.csv"
# Of a series: highest rate.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; y = $c["bits_per_s"] + 0 } \
    !(s in n) { n[s]; name[++series] = s; x0[s] = x1[s] = x; y1[s] = 0 } \
    { if (x < x0[s]) x0[s] = x; if (x > x1[s]) x1[s] = x; if (y > y1[s]) y1[s] = y } \
    END { for (i = 1; i <= series; i++) { s = name[i]; print s, x0[s], x1[s], y1[s] } }'
n_facts = 5
several_titles = "Throughput with the best MCS"
load here."series.gp"
set title several_titles font title_font(several_titles)
y_high = 0.0
do for [s=1:n_series] { if (real(fact(s, 5)) > y_high) { y_high = real(fact(s, 5)) } }
set ylabel "throughput with the best MCS (Mbit/s); numbers: MCS" textcolor rgb ink
set yrange [0:1.1e-6 * y_high + (y_high > 0 ? 0 : 1)]
curves = ""
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using (snr(%d)):(1e-6 * column('bits_per_s'))", s, s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    curves = curves.source." smooth unique with lines linewidth 1.2".paint_it."notitle, " \
             .source.sprintf(" with points pointtype look(%d) pointsize 1.1", s).paint_it \
             .sprintf("title name(%d), ", s) \
             .source.sprintf(":(strcol('mcs')) with labels offset %.1f,%.1f font ',9' textcolor rgb hue(%d) notitle, ", \
                             s % 2 ? 1.2 : -1.2, s % 2 ? -0.6 : 0.6, s)
}
eval "plot ".curves[1:strlen(curves)-2]
