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
do for [d=1:n_dirs] {
    if (!has_file(file(d))) { print "cannot read ", file(d); exit status 1 }
}

# A series is a detector with a csi in a folder: detector, csi, rows, intervals, highest value, lowest and
# highest SNR.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; if (!("gmi" in c)) exit; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; y = $c["gmi_limit"] + 0 } \
    !(s in n) { name[++series] = s; x0[s] = x1[s] = x; y1[s] = 0 } \
    { n[s]++; bars[s] += $c["gmi_low"] != ""; if (x < x0[s]) x0[s] = x; if (x > x1[s]) x1[s] = x; if (y > y1[s]) y1[s] = y } \
    END { for (i = 1; i <= series; i++) { s = name[i]; print s, n[s], bars[s], y1[s], x0[s], x1[s] } }'
facts = ""
folders = ""
do for [d=1:n_dirs] {
    found = awk_of(find_series, file(d))
    if (words(found) == 0) { print file(d), " has no LLRs: a run with output = \"llr\" has"; exit status 1 }
    facts = facts." ".found
    do for [i=1:words(found)/7] { folders = folders.sprintf(" %d", d) }
}
n_series = words(facts) / 7
fact(s, i) = word(facts, 7 * (s - 1) + i)
detector(s) = fact(s, 1)
csi(s) = fact(s, 2)
folder(s) = int(word(folders, s))
place(list, name) = (sum [i=1:words(list)] (word(list, i) eq name ? i : 0))
detectors = ""
csis = ""
x_low = 1e9; x_high = -1e9; y_high = 0.0; any_bars = 0
do for [s=1:n_series] {
    if (!place(detectors, detector(s))) { detectors = detectors." ".detector(s) }
    if (!place(csis, csi(s))) { csis = csis." ".csi(s) }
    any_bars = any_bars || int(fact(s, 4))
    if (real(fact(s, 5)) > y_high) { y_high = real(fact(s, 5)) }
    if (real(fact(s, 6)) < x_low) { x_low = real(fact(s, 6)) }
    if (real(fact(s, 7)) > x_high) { x_high = real(fact(s, 7)) }
}
several = n_dirs > 1
array shape[6] = [7, 5, 9, 13, 15, 3]
kind(s) = several ? place(csis, csi(s)) + words(csis) * (place(detectors, detector(s)) - 1) \
        : words(csis) > 1 ? place(csis, csi(s)) : place(detectors, detector(s))
look(s) = shape[(kind(s) - 1) % 6 + 1]
hue(s) = paint(several ? folder(s) : place(detectors, detector(s)))
label(s) = (several ? short_name(folder(s)).": " : "").detector(s).(words(csis) > 1 ? ", ".csi(s) : "")

title = title_of(dir[1])
do for [d=2:n_dirs] { if (title_of(dir[d]) ne title) { title = "Information of LLRs" } }
title = drawable(cut(title, 112))
set title title noenhanced font title_font(title) textcolor rgb ink offset 0,0.3
set xlabel "SNR (dB): total transmit power over noise power at one receive antenna\n " textcolor rgb ink
set ylabel "bits per QAM symbol" textcolor rgb ink
set key left top
margin = x_high > x_low ? 0.03 * (x_high - x_low) : 2.5
set xrange [x_low - margin:x_high + margin]
set yrange [0:1.15 * y_high]

of(s) = strcol("detector") eq detector(s) && strcol("csi") eq csi(s)
snr(s) = of(s) ? column("snr_db") : NaN
bars_only = "with yerrorbars pointtype 7 pointsize 0 linewidth 1.2"
curves = ""
# Shannon's limit and the modulation's: of each folder, the first series stands for all.
do for [d=1:n_dirs] {
    s = place(folders, sprintf("%d", d))
    do for [i=1:words(folders)] { if (int(word(folders, words(folders) + 1 - i)) == d) { s = words(folders) + 1 - i } }
    curves = curves.sprintf("file(%d) using (snr(%d)):(column('shannon')) smooth unique with lines linewidth 1.2 dashtype 2 linecolor rgb ink ", d, s) \
             .(d == 1 ? "title \"Shannon's limit of a layer alone\", " : "notitle, ") \
             .sprintf("file(%d) using (snr(%d)):(column('gmi_limit')) smooth unique with lines linewidth 1.2 linecolor rgb ink ", d, s) \
             .(d == 1 ? "title \"the modulation's limit\", " : "notitle, ")
}
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    curves = curves.source.sprintf("(snr(%d)):(column('gmi')) smooth unique with lines linewidth 1.0 dashtype 3", s) \
             .paint_it."notitle, "
    if (int(fact(s, 4))) {
        curves = curves.source.sprintf("(snr(%d)):(column('gmi')):(column('gmi_low')):(column('gmi_high')) ", s) \
                 .bars_only.paint_it."notitle, "
    }
    curves = curves.source.sprintf("(snr(%d)):(column('gmi')) with points pointtype look(%d) pointsize 1.2", s, s) \
             .paint_it.sprintf("title label(%d), ", s)
}
if (any_bars) { curves = curves."keyentry ".bars_only." linecolor rgb ink title '95 % interval', " }
eval "plot ".curves[1:strlen(curves)-2]
