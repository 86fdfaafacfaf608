#!/bin/bash
# Broken scenarios and command lines: each must be refused with its exit code and one clear line,
# and leave every file as it was.
#
#     tests/cli/bad_input.sh build/ltesim [build/tests/bad_channels]
#
# Without bad_channels, which a build without HDF5 lacks, files of channels are skipped.
set -u

[ $# -eq 1 ] || [ $# -eq 2 ] ||
    { echo "usage: tests/cli/bad_input.sh path/to/ltesim [path/to/bad_channels]" >&2; exit 2; }
ltesim=$(realpath "$1")
listed=$(realpath "$(dirname "$0")/../lib/listed.py")
bad_channels=${2:+$(realpath "$2")}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir "$top/work" "$top/log"
cd "$top/work" || exit 1
mkdir -p result folder.cfg
earlier=detector,csi,snr_db,snr_db_measured,slots,bits,bit_errors,ber,ber_low,ber_high,ser,\
ber_theory,z,flagged,status,seconds,vector_errors,unfinished
echo "$earlier" > result/ber.csv
passed=0
failed=0
skipped=0

good='# A scenario that is right
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "16qam";
channel    = { model = "rayleigh"; };
csi  = ( "perfect" );
detectors  = ( "zf", "mmse" );
inverter   = "gauss-jordan";
sweep      = { snr_db = [ 0.0, 10.0, 5.0 ]; min_bit_errors = 10; min_slots = 1; max_slots = 2; };
deadline   = { slots = 10; distinct = 2; budget_us = 500.0; paced = true; };
seed       = 1;
backend    = "cpu";
'

tree() { find . -type d -printf '%p\n' -o -printf '%p %y %s %T@\n' | sort; }

# check NAME CODE WORD ARGUMENT...: the program ends with CODE, one line with WORD and no trace; it
# has said nothing else, unless tables=yes.
check() {
    local name=$1 code=$2 word=$3 before after got lines why=""
    shift 3
    before=$(tree)
    timeout 3600 "$ltesim" "$@" > "$top/log/stdout" 2> "$top/log/stderr" < /dev/null
    got=$?
    after=$(tree)
    lines=$(wc -l < "$top/log/stderr")
    [ "$got" -eq "$code" ] || why="exit $got, not $code"
    [ "$lines" -eq 1 ] || why="$why; $lines lines on stderr"
    [ -n "$word" ] || why="$why; no word is asked for"
    grep -q '^ltesim: ' "$top/log/stderr" || why="$why; does not begin with 'ltesim: '"
    grep -qF -- "$word" "$top/log/stderr" || why="$why; '$word' is not named"
    [ ! -s "$top/log/stdout" ] || [ -n "${tables:-}" ] || why="$why; something on stdout"
    [ "$before" = "$after" ] || why="$why; files were touched"
    if [ -z "$why" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: %s\n' "$name" "${why#; }"
        sed 's/^/    /' "$top/log/stderr" | head -5
    fi
}

# text NAME WORD TEXT: a scenario file of this text is refused.
text() {
    printf '%b' "$3" > broken.cfg
    check "$1" 2 "$2" broken.cfg --out result
}

# edit NAME WORD SED: the good scenario, edited, is refused.
edit() {
    printf '%s' "$good" | sed -e "$3" > broken.cfg
    if printf '%s' "$good" | cmp -s - broken.cfg; then
        failed=$((failed + 1))
        echo "$1: the edit changes nothing"
        return
    fi
    check "$1" 2 "$2" broken.cfg --out result
}

# add NAME WORD TEXT: the good scenario with a line more is refused.
add() { text "$1" "$2" "$good$3\n"; }

# swept NAME WORD SETTINGS: the good scenario with these settings of sweep is refused.
swept() { edit "$1" "$2" "s|^sweep .*|sweep = { $3 };|"; }

# timed NAME WORD SETTINGS: the same for deadline.
timed() { edit "$1" "$2" "s|^deadline .*|deadline = { $3 };|"; }

# set_to NAME WORD OVERRIDE...: the good scenario with the overrides is refused.
set_to() {
    local name=$1 word=$2 arguments=()
    shift 2
    for override in "$@"; do arguments+=(--set "$override"); done
    printf '%s' "$good" > broken.cfg
    check "$name" 2 "$word" broken.cfg --out result "${arguments[@]}"
}

# line NAME WORD ARGUMENT...: a command line is refused.
line() {
    local name=$1 word=$2
    shift 2
    check "$name" 2 "$word" "$@"
}

# names KIND: the names that --list has of a kind, "a, b, c".
names() { "$listed" "$ltesim" "$1" | paste -sd , | sed 's/,/, /g'; }

# ---- files ----
line missing_file none.cfg none.cfg --out result
line folder_as_file 'folder.cfg: cannot be read: Is a directory' folder.cfg --out result
line path_through_a_file result/ber.csv/x result/ber.csv/x --out result
line empty_name "file name is empty" "" --out result
line endless_file /dev/zero /dev/zero --out result
text empty_file carrier.bandwidth_mhz ''
text only_a_comment carrier.bandwidth_mhz '# nothing\n'
text only_space carrier.bandwidth_mhz ' \n\t\n'
text zero_bytes "zero byte" "$good"'\0\0\0'
head -c 4096 "$ltesim" > broken.cfg
check binary_file 2 broken.cfg broken.cfg --out result
{ printf '%s' "$good"; head -c 1100000 /dev/zero | tr '\0' '#'; } > broken.cfg
check huge_file 2 "1 MiB" broken.cfg --out result
if [ "$(id -u)" -ne 0 ]; then
    printf '%s' "$good" > unreadable.cfg
    chmod 0 unreadable.cfg
    check unreadable_file 2 unreadable.cfg unreadable.cfg --out result
fi

# ---- syntax ----
edit no_equals modulation 's|^modulation *=|modulation|'
edit no_value modulation 's|^modulation.*|modulation = ;|'
edit open_string modulation 's|"16qam"|"16qam|'
edit open_group carrier 's|1.4; };|1.4;|'
edit open_array sweep.snr_db 's|5.0 \]|5.0|'
edit wrong_bracket detectors 's|"mmse" )|"mmse" ]|'
add open_comment "/*" '/* no end'
add stray_brace "'}'" '}'
add stray_word "'world'" 'hello world'
add stray_string '"zf"' 'seeds = 1 "zf"'
add double_semicolon "';'" ';'
add bad_byte "0xff" '\0377'
add only_marks "'%'" '%%'
add include "@include" '@include "other.cfg"'
add deep_groups "nested" 'a={b={c={d={e={f=1;};};};};};'
add deep_lists lists 'a = ((((((((1))))))));'
add trailing_comma "')'" 'extra = ( 1, 2, );'
edit comma_at_the_end sweep.snr_db 's|5.0 \]|5.0, ]|'
edit bare_name modulation 's|"16qam"|qam16|'
edit nan_value deadline.budget_us 's|500.0|nan|'
edit inf_value deadline.budget_us 's|500.0|+inf|'
edit number_with_a_unit deadline.budget_us 's|500.0|500us|'
edit two_points deadline.budget_us 's|500.0|5.0.0|'
edit twice_in_the_file seed 's|^backend.*|seed = 2;|'
edit twice_in_a_group antennas.rx 's|tx = 2;|rx = 2;|'
edit group_twice antennas 's|^csi|antennas = { tx = 1; }; csi|'
edit dotted_key sweep.min_slots 's|^seed .*|sweep.min_slots = 3;|'

# ---- numbers that libconfig would bend ----
edit beyond_32_bits 5000000000L 's|^seed .*|seed = 5000000000;|'
edit beyond_64_bits "64 bits" 's|^seed .*|seed = 9223372036854775808L;|'
edit hex_beyond_32_bits 0xFFFFFFFFL 's|^seed .*|seed = 0xFFFFFFFF;|'
edit hex_beyond_64_bits "64 bits" 's|^seed .*|seed = 0x8000000000000000L;|'
edit many_digits seed "s|^seed .*|seed = $(printf '1%.0s' {1..300});|"
edit negative_beyond_32_bits -2147483649L 's|^seed .*|seed = -2147483649;|'
edit beyond_reals 'largest real' 's|500.0|1e400|'
edit mixed_array "decimal point" 's|\[ 0.0, 10.0, 5.0 \]|[ 0.0, 10, 5.0 ]|'
edit mixed_strings "one type" 's|( "zf", "mmse" )|[ "zf", 1 ]|'

# ---- keys ----
add unknown_key colour 'colour = "red";'
add misspelt_key "did you mean detectors" 'detector = ( "zf" );'
add unknown_group modem 'modem = { tx = 1; };'
edit unknown_member antennas.ports 's|rx = 2;|rx = 2; ports = 1;|'
edit misspelt_member "did you mean sweep.min_slots" 's|min_slots|min_slot|'
edit capitals "did you mean modulation" 's|^modulation|Modulation|'
edit member_outside "did you mean carrier.bandwidth_mhz" 's|^seed .*|bandwidth_mhz = 5.0;|'
edit unknown_channel_key channel.speed 's|"rayleigh";|"rayleigh"; speed = 5.0;|'
for key in carrier antennas modulation detectors; do
    edit "missing_$key" "$key" "/^$key/d"
done
edit missing_tx antennas.tx 's|tx = 2;||'
edit missing_rx antennas.rx 's|rx = 2;||'

# ---- types ----
edit group_as_number "carrier = 5" 's|^carrier .*|carrier = 5;|'
edit number_as_group seed 's|^seed .*|seed = { value = 1; };|'
edit number_as_text antennas.tx 's|tx = 2|tx = "2"|'
edit real_as_integer 'antennas.tx = 2.0' 's|tx = 2|tx = 2.0|'
edit text_as_number modulation 's|"16qam"|16|'
edit flag_as_number deadline.paced 's|true|1|'
edit flag_as_text deadline.paced 's|true|"true"|'
edit list_as_text detectors 's|( "zf", "mmse" )|"zf"|'
edit list_of_numbers detectors 's|( "zf", "mmse" )|( 1, 2 )|'
edit text_as_list inverter 's|"gauss-jordan"|( "gauss-jordan" )|'
edit grid_as_a_loud_number sweep.snr_db 's|\[ 0.0, 10.0, 5.0 \]|60.5|'
edit title_as_number 'title = 5: must be a string' 's|^seed .*|title = 5;|'
edit half_a_count 'sweep.min_slots = 1.5: must be an integer' 's|min_slots = 1;|min_slots = 1.5;|'
edit count_beyond_reals 'min_bit_errors = 1e+300' 's|min_bit_errors = 10|min_bit_errors = 1e300|'
edit grid_of_text sweep.snr_db 's|\[ 0.0, 10.0, 5.0 \]|( "0", "10", "5" )|'
edit list_as_number seed 's|^seed .*|seed = ( 1 );|'

# ---- ranges ----
edit bandwidth 'carrier.bandwidth_mhz = 7' 's|1.4|7.0|'
edit bandwidth_negative 'carrier.bandwidth_mhz = -20' 's|1.4|-20.0|'
edit no_antennas 'antennas.tx = 0' 's|tx = 2|tx = 0|'
edit nine_antennas 'antennas.tx = 9' 's|tx = 2; rx = 2|tx = 9; rx = 9|'
edit too_many_receivers 'antennas.rx = 257' 's|rx = 2|rx = 257|'
edit too_many_layers 'antennas.tx = 129' 's|tx = 2; rx = 2|tx = 129; rx = 200|'
edit negative_antennas 'antennas.rx = -1' 's|rx = 2|rx = -1|'
edit unknown_modulation 'qpsk, 16qam, 64qam, 256qam, 1024qam' 's|"16qam"|"15qam"|'
edit empty_modulation 'unknown modulation ""' 's|"16qam"|""|'
edit unknown_channel "$(names channels)" 's|"rayleigh"|"epa5"|'
moved=$(names channels | sed 's/.*, flat/flat/; s/, file$//; s/\(.*\), /\1 and /')
edit rayleigh_moves "does not move; $moved do" 's|"rayleigh";|"rayleigh"; doppler_hz = 5.0;|'
edit too_much_doppler 'from 0.1 to 1000 Hz' 's|"rayleigh";|"eva"; doppler_hz = 1001.0;|'
edit too_little_doppler 'from 0.1 to 1000 Hz' 's|"rayleigh";|"eva"; doppler_hz = 0.01;|'
edit negative_doppler 'from 0.1 to 1000 Hz' 's|"rayleigh";|"eva"; doppler_hz = -5.0;|'
edit no_drop 'channel.drop_slots = 0' 's|"rayleigh";|"eva"; doppler_hz = 5.0; drop_slots = 0;|'
edit long_drop 'channel.drop_slots = 10001' 's|"rayleigh";|"eva"; drop_slots = 10001;|'
set_to rounds_split_drops 'must be multiples of' channel.model=eva channel.doppler_hz=70 \
    sweep.round_slots=12 sweep.max_slots=24
set_to sweep_splits_a_drop 'must be multiples of' channel.model=eva channel.doppler_hz=70 \
    sweep.round_slots=8 sweep.max_slots=20
edit unknown_level 'low, medium, high' 's|"rayleigh";|"eva"; correlation = { level = "total"; };|'
set_to alpha_alone 'either level or both' channel.correlation.alpha=0.5
set_to level_and_alpha 'either level or both' channel.correlation.level=high \
    channel.correlation.alpha=0.5 channel.correlation.beta=0.5
set_to link_alone 'either level or both' channel.correlation.link=uplink
set_to beta_of_one 'from 0, below 1' channel.correlation.beta=1.0
set_to correlation_of_three '1, 2, 4 and 8 antennas' channel.correlation.level=low antennas.rx=3
set_to adjusted_eight 'no published adjustment' channel.correlation.level=high antennas.rx=8
set_to correlated_awgn 'does not fade' channel.correlation.level=high channel.model=awgn
set_to correlation_as_a_word 'a group of keys' channel.correlation=high
edit unknown_detector 'unknown detector "ep"; there are ' 's|"mmse"|"ep"|'
edit parameter_in_a_name_out_of_range 'detectors: "kbest-0": kbest has k an integer, 1 to ' 's|"mmse"|"kbest-0"|'
edit parameter_in_a_name_that_is_none 'detectors: "zf-4": zf has demapper one of ' 's|"mmse"|"zf-4"|'
edit unknown_detector_among "$(names detectors)" 's|"mmse"|"ep"|'
edit repeated_detector '"zf" is listed twice' 's|"mmse"|"zf"|'
edit no_detector detectors 's|( "zf", "mmse" )|( )|'
edit detector_group_without_name 'detectors[1].name is missing; it must be' 's|"mmse"|{ iterations = 3; }|'
edit detector_group_unknown "$(names detectors)" 's|"mmse"|{ name = "ep"; }|'
edit detector_parameter_unknown 'name, iterations' 's|"mmse"|{ name = "cg"; steps = 3; }|'
edit detector_demapper_unknown 'must be one of exact, max-log' 's|"mmse"|{ name = "mmse"; demapper = "log"; }|'
edit detector_demapper_of_1 'must be one of exact, max-log' 's|"mmse"|{ name = "mmse"; demapper = 1; }|'
edit detector_without_parameter 'name, demapper' 's|"mmse"|{ name = "mmse"; iterations = 3; }|'
edit detector_parameter_of_0 '1 to 64' 's|"mmse"|{ name = "cg"; iterations = 0; }|'
edit detector_parameter_of_65 '1 to 64' 's|"mmse"|{ name = "cg"; iterations = 65; }|'
edit detector_parameter_real '1 to 64' 's|"mmse"|{ name = "cg"; iterations = 3.0; }|'
edit detector_parameter_wide '1 to 64' 's|"mmse"|{ name = "cg"; iterations = 4294967300L; }|'
edit detector_of_two_parameters 'name, k, clip' 's|"mmse"|{ name = "kbest"; depth = 3; }|'
edit detector_k_of_65 'must be an integer, 1 to 64' 's|"mmse"|{ name = "kbest"; k = 65; }|'
edit detector_clip_of_0 'must be a number of at most 3 decimals, 1 to 100' 's|"mmse"|{ name = "kbest"; clip = 0.5; }|'
edit detector_clip_of_4_decimals 'must be a number of at most 3 decimals' 's|"mmse"|{ name = "kbest"; clip = 4.0001; }|'
edit detector_clip_of_text 'must be a number of at most 3 decimals, 1 to 100' 's|"mmse"|{ name = "kbest"; clip = "12"; }|'
edit detector_of_too_many_full_layers 'detector fsd: it has more full layers than there are layers' 's|"mmse"|"fsd-8"|'
edit detector_of_too_many_vectors 'detector fsd: it tries at most 65536 vectors' 's|"mmse"|"fsd-2"|; s|"16qam"|"1024qam"|'
edit detector_that_searches_too_long 'from 5 layers of 64qam on its search has no end' 's|"mmse"|"ml"|; s|tx = 2; rx = 2|tx = 5; rx = 5|; s|16qam|64qam|'
edit detector_of_too_many_sums 'exact LLRs need all vectors, of at most 16 bits' 's|"mmse"|"ml-exact"|; s|tx = 2; rx = 2|tx = 5; rx = 5|; s|^sweep|output = "llr"; sweep|'
edit detector_swaps_of_1001 'lr-mmse has swaps an integer, 0 to 1000' 's|"mmse"|"lr-mmse-1001"|'
edit detector_that_gives_no_llrs 'LLRs are not supported with detector fsd' 's|"mmse"|"fsd"|; s|^sweep|output = "llr"; sweep|'
edit detector_that_gives_no_llrs_either 'LLRs are not supported with detector lr-mmse' 's|"mmse"|"lr-mmse"|; s|^sweep|output = "llr"; sweep|'
edit detector_set_twice_as_group 'listed twice' 's|"mmse"|"kbest-8-clip4", { name = "kbest"; k = 8; clip = 4; }|'
edit detector_group_twice 'detectors[1].name is given twice' 's|"mmse"|{ name = "cg"; name = "cg"; }|'
edit detector_set_twice 'listed twice' 's|"mmse"|"cg", { name = "cg"; iterations = 4; }|'
edit detector_name_with_leading_0 detectors 's|"mmse"|"cg-04"|'
edit detector_group_in_group 'too deep' 's|"mmse"|{ name = { a = 1; }; }|'
edit detector_group_in_array 'write ( )' 's|( "zf", "mmse" )|[ { name = "zf"; } ]|'
edit detector_group_open 'detectors[1]' 's|"mmse" )|{ name = "cg"|'
edit too_many_detectors '1 to 16' "s|\"mmse\"|$(seq -s, -f '\"cg-%g\"' 1 17)|"
set_to unknown_version 'unknown version "publish"; there are fast, published, ' inverter.version=publish
set_to version_of_another 'inverter.version of gauss-jordan: unknown version "lu 1"' 'inverter.version=lu 1'
set_to version_not_there 'ldl has no published version' inverter=ldl inverter.version=published
set_to version_of_an_order 'it takes orders 17 to 128' inverter=lu-delayed 'inverter.version=lu 3'
set_to version_as_a_number 'unknown version "1"' inverter.version=1
set_to empty_version 'inverter.version' 'inverter.version=""'
edit unknown_inverter_key 'inverter.versio' 's|"gauss-jordan"|{ name = "ldl"; versio = "fast"; }|'
edit empty_inverter 'one of name, version' 's|"gauss-jordan"|{ }|'
edit unknown_inverter "$(names inverters)" 's|"gauss-jordan"|"qr"|'
edit unknown_csi csi 's|"perfect"|"genie"|'
edit csi_as_number csi 's|( "perfect" )|1|'
edit unknown_among_csi "$(names csi)" 's|"perfect"|"perfect", "dmrs"|'
edit unknown_noise 'unknown noise "none"; there are estimated, known' 's|^seed .*|noise = "none";|'
timed unlisted_in_turn 'deadline.detectors: "ml": must be of detectors' 'detectors = [ "mmse", "ml" ]'
timed twice_in_turn 'deadline.detectors: "MMSE": must be of detectors, and listed once' \
    'detectors = [ "mmse", "MMSE" ]'
timed number_in_turn 'must be a list of 1 to 16 strings' 'detectors = [ 1 ]'
timed name_in_turn 'must be a list of 1 to 16 strings' 'detectors = "mmse"'
timed none_in_turn 'must be a list of 1 to 16 strings' 'detectors = [ ]'
timed unknown_csi_on_time deadline.csi 'csi = "genie"'
set_to five_layers_estimated 'exist for 1 to 4 layers; more layers need' 'csi=("perfect","dmrs-ls")' channel.model=eva \
    antennas.tx=5 antennas.rx=5
set_to layers_over_independent_subcarriers 'no estimate can separate the layers' csi=dmrs-mmse
set_to noise_over_independent_subcarriers 'noise must be "known"' csi=dmrs-ls antennas.tx=1
set_to references_at_rest 'needs channel.doppler_hz' channel.model=eva csi=dmrs-ls csi_references=2
set_to references_of_half_subframes 'drop_slots must be even' channel.model=eva csi=dmrs-ls \
    csi_references=2 channel.doppler_hz=70 channel.drop_slots=1
set_to references_of_3 '1 to 2' csi_references=3
set_to references_of_slots_alone 'distinct must be even' channel.model=eva csi=dmrs-ls \
    csi_references=2 channel.doppler_hz=70 deadline.distinct=3
set_to csi_chosen_but_not_listed 'must be one of csi' channel.model=eva \
    csi=dmrs-ls deadline.csi=perfect
edit repeated_csi csi 's|"perfect"|"perfect", "perfect"|'
edit unknown_backend 'cpu:ref' 's|"cpu"|"tpu"|'
edit device_in_letters 'cuda:x' 's|"cpu"|"cuda:x"|'
edit device_without_place 'cuda, cuda:N' 's|"cpu"|"cuda:"|'
edit line_break_in_a_value modulation 's|"16qam"|"16\\nqam"|'
edit negative_seed 'seed = -1' 's|^seed .*|seed = -1;|'
swept empty_grid sweep.snr_db 'snr_db = [ ]'
swept short_grid sweep.snr_db 'snr_db = [ 0.0, 10.0 ]'
swept long_grid sweep.snr_db 'snr_db = [ 0.0, 10.0, 1.0, 1.0 ]'
swept reversed_grid 'start <= stop' 'snr_db = [ 10.0, 0.0, 1.0 ]'
swept no_step sweep.snr_db 'snr_db = [ 0.0, 10.0, 0.0 ]'
swept negative_step sweep.snr_db 'snr_db = [ 0.0, 10.0, -1.0 ]'
swept fine_step sweep.snr_db 'snr_db = [ 0.0, 1.0, 0.001 ]'
swept many_points '9001 points' 'snr_db = [ -30.0, 60.0, 0.01 ]'
swept too_loud 'sweep.snr_db' 'snr_db = [ 0.0, 60.1, 1.0 ]'
swept too_quiet 'sweep.snr_db' 'snr_db = [ -31.0, 0.0, 1.0 ]'
swept huge_grid 'sweep.snr_db' 'snr_db = [ -1e300, 1e300, 1e300 ]'
swept no_points sweep.snr_points 'snr_points = [ ]'
swept same_point_twice '3 dB is listed twice' 'snr_points = [ 3.0, 1.0, 3.0 ]'
swept point_out_of_range 'sweep.snr_points[1] = 61' 'snr_points = [ 3.0, 61.0 ]'
swept grid_and_points sweep.snr_points 'snr_db = [ 0.0, 1.0, 1.0 ]; snr_points = [ 3.0 ]'
swept negative_errors sweep.min_bit_errors 'min_bit_errors = -1'
swept too_many_errors sweep.min_bit_errors 'min_bit_errors = 1099511627777L'
swept no_slots sweep.min_slots 'min_slots = 0'
swept too_many_slots sweep.max_slots 'max_slots = 1099511627777L'
swept more_min_than_max sweep.max_slots 'min_slots = 10; max_slots = 9'
swept min_above_default_max sweep.min_slots 'min_slots = 5000'
swept no_round sweep.round_slots 'round_slots = 0'
swept long_round sweep.round_slots 'round_slots = 65537'
swept no_cluster sweep.min_clusters 'min_clusters = 0'
swept many_clusters sweep.min_clusters 'min_clusters = 65537'
swept too_precise sweep.precision 'precision = 0.0001'
swept not_precise sweep.precision 'precision = 1.5'
swept precision_text sweep.precision 'precision = "fine"'
swept target_of_no_error sweep.target_ber 'target_ber = 0.0'
swept target_of_a_coin sweep.target_ber 'target_ber = 0.5'
swept target_at_one_point sweep.target_ber 'target_ber = 1e-3; snr_db = 10.0'
swept negative_time sweep.max_seconds 'max_seconds = -1.0'
swept huge_time sweep.max_seconds 'max_seconds = 1e300'
timed no_ticks deadline.slots 'slots = 0'
timed too_many_ticks deadline.slots 'slots = 100000001'
timed none_distinct deadline.distinct 'distinct = 0'
timed too_distinct deadline.distinct 'distinct = 4097'
timed no_carriers deadline.carriers 'carriers = 0'
timed too_many_carriers deadline.carriers 'carriers = 100001'
timed no_budget deadline.budget_us 'budget_us = 0.0'
timed negative_budget deadline.budget_us 'budget_us = -500.0'
timed never_on_time deadline.on_time 'on_time = 0.0'
timed more_than_always deadline.on_time 'on_time = 1.01'
timed no_threads deadline.threads 'threads = 0'
timed too_many_threads deadline.threads 'threads = 1025'
timed unknown_choice 'deadline.detector: unknown detector "sic"; there are ' 'detector = "sic"'
timed snr_out_of_range deadline.snr_db 'snr_db = 61'

# ---- names that are nearly right ----
# near NAME WORD SED: the message ends with what was meant.
near() { edit "$1" "; did you mean $2?" "$3"; }
near detector_with_a_letter_more mmse 's|"mmse"|"mmsee"|'
near detector_of_a_group neumann 's|"mmse"|{ name = "neuman"; }|'
near inverter_with_a_letter_less gauss-jordan 's|"gauss-jordan"|"gaus-jordan"|'
near channel_with_a_letter_less rayleigh 's|"rayleigh"|"rayleih"|'
near csi_with_letters_swapped dmrs-mmse 's|"perfect"|"dmrs-mmes"|'
near modulation_with_another_letter 16qam 's|"16qam"|"16qum"|'
near backend_with_a_letter_more cpu 's|"cpu"|"cpuu"|'
near level_with_letters_swapped medium \
    's|"rayleigh";|"eva"; correlation = { level = "meduim"; };|'
near key_in_capitals modulation 's|^modulation|MODULATION|'

# ---- combinations ----
edit more_tx_than_rx 'tx must be at most rx' 's|tx = 2|tx = 4|'
edit awgn_not_square 'awgn' 's|"rayleigh"|"awgn"|; s|rx = 2|rx = 4|'
edit choice_not_listed deadline.detector 's|, "mmse"||; s|slots = 10;|detector = "mmse";|'

set_to code_without_mcs_or_rate '--set code.transmissions=2: code: must have one of mcs, rate and bits' \
    code.transmissions=2
set_to mcs_table_beside_a_rate 'needs code.mcs, and code.rate is given' code.rate=0.5 \
    code.mcs_table=256qam
edit mcs_beyond_its_table 'mcs_table "256qam" has 0 to 27' \
    's|^modulation.*|code = { mcs = 28; mcs_table = "256qam"; };|'
set_to code_of_many_layers 'antennas.tx = 9: a code takes at most 8 layers' code.rate=0.5 \
    antennas.tx=9 antennas.rx=9 inverter=cholesky-delayed
add empty_code 'code is empty: remove it, or give it one of link, mcs, ' 'code = { };'
add empty_llr 'llr is empty' 'llr = { };'

# ---- more memory than there is ----
set_to slots_beyond_memory 'deadline.distinct = 4096 needs 9092097638400 bytes' channel.model=eva channel.doppler_hz=70 \
    channel.drop_slots=1 carrier.bandwidth_mhz=20 antennas.tx=128 antennas.rx=256 \
    inverter=lu-delayed deadline.distinct=4096 sweep.snr_db=10

# ---- channels from a file ----
# stored NAME WORD FILE: the good scenario with the channels of this file is refused.
stored() {
    edit "$1" "$2" "s|\"rayleigh\";|\"file\"; file = \"$3\";|"
}

edit no_channel_file 'needs the name of an HDF5 file' 's|"rayleigh"|"file"|'
edit channel_file_unused 'channel.file needs channel.model = "file"' 's|"rayleigh";|"eva"; file = "x.h5";|'
edit channel_file_of_no_name 'the name of an HDF5 file' 's|"rayleigh";|"file"; file = "";|'
edit channel_file_as_number 'the name of an HDF5 file' 's|"rayleigh";|"file"; file = 5;|'
edit channel_file_moves_itself 'moves as in the file and does not take a Doppler' \
    's|"rayleigh";|"file"; file = "x.h5"; doppler_hz = 70.0;|'
edit channel_file_has_its_correlation 'has the antenna correlation of the file' \
    's|"rayleigh";|"file"; file = "x.h5"; correlation = { level = "high"; };|'
if [ -n "$bad_channels" ]; then
    mkdir channels
    "$bad_channels" channels || exit 1
    : > channels/empty.h5
    echo "not HDF5" > channels/text.h5
    asked='[n_slots][2][2][72] or [n_slots][2][2][7][72]'
    stored channel_file_missing 'channels/none.h5": cannot be read: No such file' channels/none.h5
    stored channel_file_is_a_folder 'is a folder, a device or a pipe' channels
    stored channel_file_is_a_device 'is a folder, a device or a pipe' /dev/zero
    mkfifo channels/pipe.h5
    stored channel_file_is_a_pipe 'is a folder, a device or a pipe' channels/pipe.h5
    rm channels/pipe.h5
    stored channel_file_is_empty 'is not an HDF5 file' channels/empty.h5
    stored channel_file_is_text 'is not an HDF5 file' channels/text.h5
    stored channel_file_is_truncated truncated channels/truncated.h5
    stored channel_file_is_damaged damaged channels/damaged.h5
    stored channel_file_without_h 'no dataset /h' channels/elsewhere.h5
    stored channel_file_with_a_group 'not a dataset' channels/group.h5
    stored channels_of_reals 'wrong type' channels/reals.h5
    stored channels_of_integers 'wrong type' channels/integers.h5
    stored channels_of_other_names 'wrong type' channels/names.h5
    stored channels_without_dimensions '0 dimensions' channels/scalar.h5
    stored channels_of_3_dimensions '3 dimensions' channels/rank3.h5
    stored channels_of_6_dimensions '6 dimensions' channels/rank6.h5
    stored channels_of_more_antennas "is [4][4][2][72]: the antennas and bandwidth of the scenario need $asked" \
        channels/antennas.h5
    stored channels_of_fewer_layers '[4][2][1][72]' channels/layers.h5
    stored channels_of_another_carrier '[4][2][2][180]' channels/carrier.h5
    stored channels_of_6_symbols '[4][2][2][6][72]' channels/symbols.h5
    stored channels_of_no_slot 'n_slots 1 or more' channels/no_slot.h5
    set_to channels_beyond_memory 'GB of memory' channel.model=file channel.file=channels/huge.h5 \
        sweep.max_slots=1099511627776L
    stored channels_with_nan '/h[0][0][0][0] = nan+0i' channels/nan.h5
    set_to channels_with_infinity '/h[3][1][1][71] = 0-infi' channel.model=file \
        channel.file=channels/infinite.h5 sweep.max_slots=4
    stored channels_beyond_floats '/h[0][0][0][1] = inf+0i' channels/overflow.h5
    stored channels_of_zeros 'the channels of all 2 slots that the run may use are zero' channels/zero.h5
    stored channels_that_vanish_in_floats 'that the run may use are zero' channels/vanishing.h5
    stored channels_of_another_version 'format_version = 2' channels/version.h5
    stored channels_of_no_drop 'drop_slots = 0: must be an integer, 1 to 10000' channels/no_drop.h5
    stored channels_of_a_broken_drop 'drop_slots that is not an integer' channels/drop_of_7.9.h5
    stored channels_of_a_drop_in_words 'drop_slots that is not an integer' channels/drop_in_words.h5
    stored channels_beside_the_file 'lies in another file' channels/outside.h5
    stored channels_behind_a_link 'lies in another file' channels/link.h5
    stored channels_split_a_drop 'must be multiples of' channels/drop_of_3.h5
    stored channel_file_is_named 'broken.cfg:5: channel.file = "channels/nan.h5"' channels/nan.h5
    set_to channel_file_of_an_override '--set channel.file=channels/nan.h5: ' channel.model=file \
        channel.file=channels/nan.h5
else
    printf '%s' "$good" > broken.cfg
    check channel_file_without_hdf5 1 'this build has no HDF5' broken.cfg --out result \
        --set channel.model=file --set channel.file=x.h5
    check dump_without_hdf5 1 'this build has no HDF5' broken.cfg --out result --dump-channel x.h5
    echo "skipped: files of channels, this build has no HDF5"
    skipped=1
fi

# ---- overrides ----
set_to no_equals_sign PATH=VALUE 'seed'
set_to no_path PATH=VALUE '=5'
set_to nothing PATH=VALUE ''
set_to no_override_value '--set seed=' 'seed='
set_to override_out_of_range '--set sweep.min_slots=0: sweep.min_slots = 0' sweep.min_slots=0
set_to override_of_a_group '--set sweep=5' 'sweep=5'
set_to override_with_a_group seed 'seed={a=1;}'
set_to unknown_path 'did you mean sweep.min_slots' sweep.minslots=3
set_to path_too_deep antennas.tx.x antennas.tx.x=1
set_to wrong_override_type deadline.paced deadline.paced=7
set_to unknown_word '--set modulation=qam' modulation=qam
set_to two_settings "';'" 'seed=1; backend="auto"'
set_to open_override sweep.snr_db 'sweep.snr_db=[1.0, 2.0'
set_to open_override_comment "/*" 'seed=1 /* one'
set_to override_beyond_32_bits 5000000000L seed=5000000000
set_to mixed_override 'decimal point' 'sweep.snr_db=[0.0, 40, 5.0]'
set_to line_break_in_an_override modulation $'modulation="16\nqam"'
set_to override_breaks_a_pair '--set antennas.tx=4: antennas.tx = 4' antennas.tx=4
set_to last_override_counts '--set sweep.min_slots=3' sweep.max_slots=9 sweep.max_slots=2 \
    sweep.min_slots=3
set_to required_taken_away 'modulation is missing' modulation=default
set_to taken_away_after_all 'antennas.tx is missing' antennas.tx=1 antennas.tx=default
set_to words_and_more '--set detectors=zf,,mmse' detectors=zf,,mmse
set_to chosen_then_dropped deadline.detector deadline.detector=mmse detectors=zf

# ---- command lines ----
printf '%s' "$good" > good.cfg
cp good.cfg other.cfg
line only_options 'no scenario is given' --quiet
line two_scenarios 'good.cfg and other.cfg are two scenarios' good.cfg other.cfg
line override_without_set 'b=1: a key and its value go after --set' good.cfg b=1
line scenario_behind_dashes 'are two scenarios' good.cfg -- other.cfg
line unknown_option '--colour: unknown option; see' good.cfg --colour
line misspelt_option '--qiute: unknown option; did you mean --quiet?' good.cfg --qiute
line misspelt_option_with_a_value '--thread=2: unknown option; did you mean --threads?' \
    good.cfg --thread=2
line misspelt_scenario 'quik: cannot be read: No such file or directory; did you mean quick?' quik
line unknown_scenario 'cannot be read: No such file or directory; ltesim --list shows the scenarios' \
    massive
line misspelt_command 'comapre: unknown command; did you mean compare?' comapre good.cfg other.cfg
line benchmarks_of_two_topics 'inversion and sweep are two topics' bench inversion sweep
line benchmarks_with_an_option 'it takes only a topic' bench --quiet
line resume_of_nothing 'there is nothing to resume' good.cfg --resume
for slots in '' 7 : 0: :7 0:7:8 0-7 -1:7 0:x '0: 7' 0:99999999999999999999; do
    line "slots_as_'$slots'" "--slots $slots: must be FIRST:LAST" good.cfg --slots="$slots"
done
line slots_backwards '--slots 5:4: FIRST must not be greater than LAST' good.cfg --slots 5:4
line slots_beyond_the_last 'LAST must be at most 1' good.cfg --slots 0:2
line slots_beyond_all 'LAST must be at most 1' good.cfg --slots 0:18446744073709551615
rounds=(--set sweep.max_slots=1000 --set sweep.round_slots=100)
line slots_from_within_a_round 'FIRST must be a multiple of sweep.round_slots = 100, such as 100 or 200' \
    good.cfg --slots 150:299 "${rounds[@]}"
line slots_to_within_a_round 'LAST must end a round of sweep.round_slots = 100 slots, such as 199 or 299' \
    good.cfg --slots 100:200 "${rounds[@]}"
line slots_within_a_round 'LAST must end a round of sweep.round_slots = 100 slots, such as 199' \
    good.cfg --slots 100:150 "${rounds[@]}"
line slots_of_too_many_rounds 'MB (at most 256); use fewer slots' good.cfg --slots 0:1099511627775 \
    --set sweep.max_slots=1099511627776L
line slots_of_nothing 'there is nothing to resume' good.cfg --slots 0:1 --resume
for option in '--only deadline' --explain '--replay 0' --verify --require-deadline '--dump-channel x'
do
    read -ra words <<< "$option"
    line "slots_and${words[0]}" '--slots counts a part' good.cfg --slots 0:1 "${words[@]}"
done

# ---- merging ----
# part FOLDER SLOTS ARGUMENT...: a run of these slots of the good scenario.
part() {
    "$ltesim" good.cfg --only ber --no-plot --quiet --out "$@" > /dev/null 2>&1 ||
        { echo "$1 is not there"; failed=$((failed + 1)); }
}
rounds+=(--set sweep.min_bit_errors=1000000)
part all "${rounds[@]}"
part p0 --slots 0:199 "${rounds[@]}"
part p2 --slots 200:399 "${rounds[@]}"
part p4 --slots 400:999 "${rounds[@]}"
part p3 --slots 300:999 "${rounds[@]}"
part seed --slots 200:999 "${rounds[@]}" --set seed=9
part model --slots 200:999 "${rounds[@]}" --set channel.model=flat
line merge_of_nothing 'merge: no folder is given' merge
line merge_of_options_alone 'merge: no folder is given' merge --quiet --out result
line merge_of_an_empty_name 'the name of a folder is empty' merge ''
line merge_of_no_folder 'none has no journal' merge p0 none --out result
line merge_of_a_file 'good.cfg has no journal' merge good.cfg --out result
line merge_of_a_folder_without_runs 'result has no journal' merge p0 result
line merge_of_a_whole_run 'the run in all is not a part of a sweep, since it was run without --slots' merge all --out result
line merge_of_two_seeds 'p0 and seed are not parts of the same run: seed is 1 in p0 and 9 in seed' merge p0 seed
line merge_of_two_channels 'not parts of the same run: channel.model is "rayleigh" in p0 and "flat" in model' \
    merge p0 model p2 --out result
line merge_of_one_twice 'p0 and p0 have slots in common: 0:199 and 0:199' merge p0 p0 --out result
line merge_of_an_overlap 'p2 and p3 have slots in common: 200:399 and 300:999' merge p3 p0 p2
line merge_with_a_gap 'slots 200:399 are missing, between the parts p0 and p4' merge p4 p0
line merge_without_a_beginning 'slots 0:199 are missing; the first part, p2,' merge p4 p2
line merge_into_a_part '--out p0: is the folder of one of the parts' merge p0 p2 --out p0
ln -s p2 alias
line merge_into_a_part_by_another_name 'is the folder of one of the parts' merge p0 p2 --out alias/../p2/.
for option in '--threads 2' '--backend cpu' '--set seed=1' --resume '--slots 0:1' --verify '--only ber'; do
    read -ra words <<< "$option"
    line "merge_and${words[0]}" "${words[0]}: merge counts nothing" merge p0 p2 "${words[@]}"
done
# forged FOLDER TEXT OTHER: a folder with the journal of p0, a text of its first line another, and all
# checksums right.
forged() {
    mkdir "$1"
    python3 - "$@" << 'END'
import sys, zlib
folder, text, other = sys.argv[1:]
check = 0
with open(folder + "/journal", "w") as out:
    for line in open("p0/journal"):
        line = line[:-10].replace(text, other, 1)
        check = zlib.crc32(line.encode() + b"\n", check)
        out.write("%s %08x\n" % (line, check))
END
}
if command -v python3 > /dev/null; then
    forged version '"version":"' '"version":"9.'
    line merge_of_another_version 'the run in version was made by ltesim 9.' merge version --out result
    forged slots '"slots":[0,199]' '"slots":[0,150]'
    line merge_of_half_a_round 'LAST must end a round' merge slots --out result
    forged words '"slots":[0,199]' '"slots":"all"'
    line merge_of_slots_in_words 'does not say which slots it has' merge words --out result
    forged key '"seed":1' '"seed":1,"sead":2'
    line merge_of_an_unknown_key 'sead' merge key --out result
    forged name '"name":"good"' '"name":"../good"'
    line merge_of_a_name_with_folders 'name/journal does not hold a scenario' merge name --out result
    forged text 'ltesim journal 3 {' 'ltesim journal 3 {{'
    forged counts 'ltesim journal 3 {' 'ltesim journal 2 {'
    line merge_of_other_counts 'another version of ltesim wrote it' merge counts --out result
    line merge_of_no_json 'the journal in text cannot be read' merge text --out result
else
    echo "skipped: forged journals: no python3"
    skipped=$((skipped + 1))
fi
check merge_into_a_file 1 good.cfg merge p0 p2 --out good.cfg
line short_option '-x' good.cfg -x
line half_an_option '--device=3: unknown option; see' good.cfg --device=3
line beginning_of_an_option '--thr: unknown option' good.cfg --thr 2
line line_break_in_an_option 'unknown option' good.cfg $'--a\nb'
line missing_option_value '--threads' good.cfg --threads
line value_where_none_belongs '--quiet' good.cfg --quiet=1
line no_threads '--threads 0' good.cfg --threads 0
line too_many_threads '--threads 1025' good.cfg --threads 1025
line negative_threads '--threads -1' good.cfg --threads=-1
line threads_in_words '--threads two' good.cfg --threads two
line threads_and_more '--threads 2x' good.cfg --threads 2x
line threads_beyond_long '--threads' good.cfg --threads 99999999999999999999
line no_device_memory '--device-memory 0' good.cfg --device-memory 0
line negative_device_memory '--device-memory -1' good.cfg --device-memory=-1
line too_much_device_memory '1 to 1048576' good.cfg --device-memory 1048577
line device_memory_with_a_unit '--device-memory 2G' good.cfg --device-memory 2G
line device_memory_in_parts '--device-memory 0.5' good.cfg --device-memory 0.5
line no_host_memory '--host-memory 0' good.cfg --host-memory 0
line too_much_host_memory '1 to 1048576' good.cfg --host-memory 1048577
line host_memory_with_a_unit '--host-memory 2G' good.cfg --host-memory 2G
line no_amount_of_host_memory '--host-memory' good.cfg --host-memory
line no_amount_of_device_memory '--device-memory' good.cfg --device-memory
line unknown_job '--only snr' good.cfg --only snr
line unknown_backend_option '--backend: unknown backend "tpu"; there are ' good.cfg --backend tpu
line device_without_a_number 'cuda:N' good.cfg --backend cuda:
line device_in_words 'cuda:x' good.cfg --backend cuda:x
line negative_device 'cuda:-1' good.cfg --backend cuda:-1
line device_beyond_int 'cuda:99999999999' good.cfg --backend cuda:99999999999
line empty_backend '--backend' good.cfg --backend ''
line empty_folder '--out' good.cfg --out ''
line deadline_not_run '--require-deadline' good.cfg --only ber --require-deadline
line no_replayed_slot '--replay' good.cfg --replay
line replay_of_half_a_slot 'the number of a slot, 0 to 2^60' good.cfg --replay 0.5
line replay_of_a_word '--replay first' good.cfg --replay first
line replay_of_a_negative_slot '--replay -1' good.cfg --replay=-1
line replay_beyond_2_to_the_60 '0 to 2^60' good.cfg --replay 1152921504606846977
line replay_beyond_64_bits '0 to 2^60' good.cfg --replay 18446744073709551616
for option in '--only ber' '--only deadline' --explain --verify --require-deadline '--dump-channel x'
do
    read -ra words <<< "$option"
    line "replay_and${words[0]}" 'runs nothing else' good.cfg --replay 0 "${words[@]}"
done
line no_dump_file '--dump-channel' good.cfg --dump-channel
line empty_dump_file 'must name a file' good.cfg --dump-channel ''
line dump_of_a_plan 'with --explain, which runs no slot' good.cfg --explain --dump-channel x.h5
if [ -n "$bad_channels" ]; then
    check dump_is_a_folder 1 'folder or a device' good.cfg --out result --dump-channel folder.cfg
    check dump_over_a_text 1 'exists and is not an HDF5 file' good.cfg --out result --dump-channel other.cfg
    check dump_below_nothing 1 'none/x.h5' good.cfg --out result --dump-channel none/x.h5
fi
line nothing_to_verify '--verify' good.cfg --only deadline --verify

# ---- folders that cannot be written ----
ln -s loop loop
mkdir mine
echo "subcarrier,gain" > mine/layers.csv
check out_has_a_table_of_another 2 'mine: layers.csv exists and is not a result' good.cfg --out mine
rm mine/layers.csv
echo '{ "title": "my run" }' > mine/run.json
check out_has_a_json_of_another 2 'mine: run.json exists' good.cfg --out mine
rm mine/run.json
touch mine/timing.png
check out_has_a_picture_of_another 2 'mine: timing.png exists' good.cfg --out mine
check out_below_a_file 1 good.cfg/x good.cfg --out good.cfg/x
check out_is_a_file 1 other.cfg good.cfg --out other.cfg
check out_in_proc 1 /proc/ltesim good.cfg --out /proc/ltesim
check out_in_a_loop 1 loop good.cfg --out loop/x
check out_too_long 1 xxxx good.cfg --out "$(printf 'x%.0s' {1..300})"
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod 555 locked
    check out_is_locked 1 locked good.cfg --out locked/x
fi
# a file system without room, which only root can make
mkdir "$top/full"
if mount -t tmpfs -o size=16k none "$top/full" 2> /dev/null; then
    trap 'umount "$top/full"; rm -rf "$top"' EXIT
    echo "$earlier" > "$top/full/ber.csv"
    head -c 65536 /dev/zero > "$top/full/filler" 2> /dev/null
    check out_is_full 1 'No space left on device' good.cfg --out "$top/full"
    if [ "$(cat "$top/full/ber.csv")" != "$earlier" ] ||
        [ "$(find "$top/full" -type f | wc -l)" -ne 2 ]; then
        echo "out_is_full: the earlier result was touched"
        failed=$((failed + 1))
    fi
    if [ -n "$bad_channels" ]; then
        # what HDF5 could not write it keeps
        ASAN_OPTIONS=detect_leaks=0 tables=yes check dump_is_full 1 'No space left on device' \
            good.cfg --no-plot --quiet --out "$top/dumped" --dump-channel "$top/full/h.h5"
        if [ "$(find "$top/full" -type f | wc -l)" -ne 2 ]; then
            echo "dump_is_full: something was left"
            failed=$((failed + 1))
        fi
    fi
else
    echo "skipped: a full folder, no file system can be mounted here"
    skipped=$((skipped + 1))
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
