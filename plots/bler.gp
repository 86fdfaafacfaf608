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
do for [d=1:n_dirs] {
    if (!has_file(file(d))) { print "cannot read ", file(d); exit status 1 }
}

# A series is a detector with a csi in a folder: detector, csi, rows, rows with a rate after the first
# transmission, after the last, whether these differ, lowest and highest SNR, lowest rate, highest throughput.
find_series = 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } \
    { s = $c["detector"] " " $c["csi"]; x = $c["snr_db"] + 0; p = $c["bler"] + 0; q = $c["bler_last"] + 0 } \
    !(s in n) { name[++series] = s; x0[s] = x1[s] = x; y0[s] = 1; m[s] = 0 } \
    { n[s]++; first[s] += p > 0; last[s] += q > 0; differ[s] += p != q; if (x < x0[s]) x0[s] = x; \
      if (x > x1[s]) x1[s] = x; if (p > 0 && p < y0[s]) y0[s] = p; if (q > 0 && q < y0[s]) y0[s] = q; \
      if ($c["peak_bits_per_s"] + 0 > m[s]) m[s] = $c["peak_bits_per_s"] + 0 } \
    END { for (i = 1; i <= series; i++) { s = name[i]; \
        print s, n[s], first[s], last[s], differ[s], x0[s], x1[s], y0[s], m[s] } }'
facts = ""
folders = ""
do for [d=1:n_dirs] {
    found = awk_of(find_series, file(d))
    facts = facts." ".found
    do for [i=1:words(found)/10] { folders = folders.sprintf(" %d", d) }
}
n_series = words(facts) / 10
fact(s, i) = word(facts, 10 * (s - 1) + i)
detector(s) = fact(s, 1)
csi(s) = fact(s, 2)
folder(s) = int(word(folders, s))
place(list, name) = (sum [i=1:words(list)] (word(list, i) eq name ? i : 0))
detectors = ""
csis = ""
x_low = 1e9; x_high = -1e9; y_low = 1.0; y_high = 0.0
do for [s=1:n_series] {
    if (!place(detectors, detector(s))) { detectors = detectors." ".detector(s) }
    if (!place(csis, csi(s))) { csis = csis." ".csi(s) }
    if (real(fact(s, 7)) < x_low) { x_low = real(fact(s, 7)) }
    if (real(fact(s, 8)) > x_high) { x_high = real(fact(s, 8)) }
    if (real(fact(s, 9)) < y_low) { y_low = real(fact(s, 9)) }
    if (real(fact(s, 10)) > y_high) { y_high = real(fact(s, 10)) }
}
several = n_dirs > 1
array shape[6] = [7, 5, 9, 13, 15, 3]
kind(s) = several ? place(csis, csi(s)) + words(csis) * (place(detectors, detector(s)) - 1) \
        : words(csis) > 1 ? place(csis, csi(s)) : place(detectors, detector(s))
look(s) = shape[(kind(s) - 1) % 6 + 1]
hue(s) = paint(several ? folder(s) : place(detectors, detector(s)))
label(s) = (several ? short_name(folder(s)).": " : "").detector(s).(words(csis) > 1 ? ", ".csi(s) : "")

title = title_of(dir[1])
do for [d=2:n_dirs] { if (title_of(dir[d]) ne title) { title = "Block error rate" } }
title = drawable(cut(title, 112))
set title title noenhanced font title_font(title) textcolor rgb ink offset 0,0.3
set xlabel "SNR (dB): total transmit power over noise power at one receive antenna\n " textcolor rgb ink
margin = x_high > x_low ? 0.03 * (x_high - x_low) : 2.5
set xrange [x_low - margin:x_high + margin]
of(s) = strcol("detector") eq detector(s) && strcol("csi") eq csi(s)
snr(s) = of(s) ? column("snr_db") : NaN
bars_only = "with yerrorbars pointtype 7 pointsize 0 linewidth 1.2"
curves = ""
set ylabel "block error rate" textcolor rgb ink
set logscale y
set format y "10^{%T}"
set mytics 10
set yrange [10.0 ** floor(log10(0.8 * y_low)):1.5]

seen(s, name) = of(s) && column(name) > 0 ? column("snr_db") : NaN
any_last = 0
do for [s=1:n_series] {
    source = sprintf("file(folder(%d)) using ", s)
    paint_it = sprintf(" linecolor rgb hue(%d) ", s)
    if (int(fact(s, 4))) {
        curves = curves.source.sprintf("(seen(%d, 'bler')):(column('bler')) smooth unique with lines linewidth 1.0", s) \
                 .paint_it."notitle, ".source \
                 .sprintf("(seen(%d, 'bler')):(column('bler')):(column('bler_low')):(column('bler_high')) ", s) \
                 .bars_only.paint_it."notitle, "
    }
    curves = curves.source.sprintf("(seen(%d, 'bler')):(column('bler')) with points pointtype look(%d) pointsize 1.2", s, s) \
             .paint_it.sprintf("title label(%d), ", s)
    if (int(fact(s, 5)) && int(fact(s, 6))) {
        any_last = 1
        curves = curves.source.sprintf("(seen(%d, 'bler_last')):(column('bler_last')) smooth unique with lines linewidth 1.0 dashtype 2", s) \
                 .paint_it."notitle, ".source \
                 .sprintf("(seen(%d, 'bler_last')):(column('bler_last')):(column('bler_last_low')):(column('bler_last_high')) ", s) \
                 .bars_only.paint_it."notitle, "
    }
}
curves = curves."keyentry with lines linewidth 1.0 linecolor rgb ink title 'after the first transmission', "
if (any_last) { curves = curves."keyentry with lines linewidth 1.0 dashtype 2 linecolor rgb ink title 'after the last', " }
curves = curves."keyentry ".bars_only." linecolor rgb ink title '95 % interval', "
eval "plot ".curves[1:strlen(curves)-2]
