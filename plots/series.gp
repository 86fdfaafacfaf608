# What figures over SNR share: their series, names, colours and shapes, title, axis of SNR. Not a script of its own.
#
# A series is a detector with a csi in a folder. Before it stand file(d), the table of a folder, find_series, a
# program that prints of a table a line for each series: detector, csi, lowest and highest SNR, other facts;
# n_facts, how many these are with those; several_titles, for folders of which each has another title.

do for [d=1:n_dirs] {
    if (!has_file(file(d))) { print "cannot read ", file(d); exit status 1 }
}
facts = ""
folders = ""
do for [d=1:n_dirs] {
    found = awk_of(find_series, file(d))
    facts = facts." ".found
    do for [i=1:words(found)/n_facts] { folders = folders.sprintf(" %d", d) }
}
n_series = words(facts) / n_facts
fact(s, i) = word(facts, n_facts * (s - 1) + i)
detector(s) = fact(s, 1)
csi(s) = fact(s, 2)
folder(s) = int(word(folders, s))
place(list, name) = (sum [i=1:words(list)] (word(list, i) eq name ? i : 0))
detectors = ""
csis = ""
x_low = 1e9; x_high = -1e9
do for [s=1:n_series] {
    if (!place(detectors, detector(s))) { detectors = detectors." ".detector(s) }
    if (!place(csis, csi(s))) { csis = csis." ".csi(s) }
    if (real(fact(s, 3)) < x_low) { x_low = real(fact(s, 3)) }
    if (real(fact(s, 4)) > x_high) { x_high = real(fact(s, 4)) }
}

# Colours tell detectors apart, or folders where there are several; shapes the rest.
several = n_dirs > 1
array shape[6] = [7, 5, 9, 13, 15, 3]
kind(s) = several ? place(csis, csi(s)) + words(csis) * (place(detectors, detector(s)) - 1) \
        : words(csis) > 1 ? place(csis, csi(s)) : place(detectors, detector(s))
look(s) = shape[(kind(s) - 1) % 6 + 1]
hue(s) = paint(several ? folder(s) : place(detectors, detector(s)))
label(s) = detector(s).(words(csis) > 1 ? ", ".csi(s) : "")
name(s) = (several ? short_name(folder(s)).": " : "").label(s)

title = title_of(dir[1])
do for [d=2:n_dirs] { if (title_of(dir[d]) ne title) { title = several_titles } }
title = drawable(cut(title, 112))
set title title noenhanced font title_font(title) textcolor rgb ink offset 0,0.3
set xlabel "SNR (dB): total transmit power over noise power at one receive antenna\n " textcolor rgb ink
if (n_series == 0) {
    set xrange [0:30]
    set yrange [0:1]
    set label 1 "no points" at graph 0.5,0.5 center textcolor rgb ink
    plot NaN notitle
    exit gnuplot
}
margin = x_high > x_low ? 0.03 * (x_high - x_low) : 2.5
set xrange [x_low - margin:x_high + margin]

# Columns of one series; other rows are passed over.
of(s) = strcol("detector") eq detector(s) && strcol("csi") eq csi(s)
snr(s) = of(s) ? column("snr_db") : NaN
bars_only = "with yerrorbars pointtype 7 pointsize 0 linewidth 1.2"
