# What LLRs are worth over SNR:
#
#     gnuplot -c plots/rate.gp OUTPUT.svg|.png DIR [DIR ...]
#
# reads ber.csv and the title in run.json of up to eight result folders of runs with LLRs. See
# plots/README.md.

if (ARGC < 2) {
    print "usage: gnuplot -c plots/rate.gp OUTPUT.svg|.png DIR [DIR ...]"
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
# Of a series: intervals, highest value.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; if (!("gmi" in c)) exit; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; y = $c["gmi_limit"] + 0 } \
    !(s in n) { name[++series] = s; x0[s] = x1[s] = x; y1[s] = 0 } \
    { n[s]; bars[s] += $c["gmi_low"] != ""; if (x < x0[s]) x0[s] = x; if (x > x1[s]) x1[s] = x; if (y > y1[s]) y1[s] = y } \
    END { for (i = 1; i <= series; i++) { s = name[i]; print s, x0[s], x1[s], bars[s], y1[s] } }'
n_facts = 6
several_titles = "Mutual information of the LLRs"
do for [d=1:n_dirs] {
    if (has_file(file(d)) && awk_of('NR == 1 { print /,gmi,/ }', file(d)) eq "0") {
        print file(d), " has no LLRs: a run with output = \"llr\" has"; exit status 1
    }
}
load here."series.gp"
any_bars = 0; y_high = 0.0
do for [s=1:n_series] {
    any_bars = any_bars || int(fact(s, 5))
    if (real(fact(s, 6)) > y_high) { y_high = real(fact(s, 6)) }
}
set ylabel "bits per QAM symbol" textcolor rgb ink
set key left top
set yrange [0:1.15 * y_high]

curves = ""
# Shannon's limit and the modulation's: of each folder, the first series stands for all.
do for [d=1:n_dirs] {
    s = place(folders, sprintf("%d", d))
    do for [i=1:words(folders)] { if (int(word(folders, words(folders) + 1 - i)) == d) { s = words(folders) + 1 - i } }
    curves = curves.sprintf("file(%d) using (snr(%d)):(column('shannon')) smooth unique with lines linewidth 1.2 dashtype 2 linecolor rgb ink ", d, s) \
             .(d == 1 ? "title \"Shannon limit of a single layer\", " : "notitle, ") \
             .sprintf("file(%d) using (snr(%d)):(column('gmi_limit')) smooth unique with lines linewidth 1.2 linecolor rgb ink ", d, s) \
             .(d == 1 ? "title \"limit of the modulation\", " : "notitle, ")
}
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    curves = curves.source.sprintf("(snr(%d)):(column('gmi')) smooth unique with lines linewidth 1.0 dashtype 3", s) \
             .paint_it."notitle, "
    if (int(fact(s, 5))) {
        curves = curves.source.sprintf("(snr(%d)):(column('gmi')):(column('gmi_low')):(column('gmi_high')) ", s) \
                 .bars_only.paint_it."notitle, "
    }
    curves = curves.source.sprintf("(snr(%d)):(column('gmi')) with points pointtype look(%d) pointsize 1.2", s, s) \
             .paint_it.sprintf("title name(%d), ", s)
}
if (any_bars) { curves = curves."keyentry ".bars_only." linecolor rgb ink title '95 % interval', " }
eval "plot ".curves[1:strlen(curves)-2]
