/* The command line, option by option. */
#include "sim/cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "phy/base/names.h"
#include "sim/files/refuse.h"
#include "sim/scenario/scenario.h"

const char *lte_options_start(void)
{
    /* start begins: sim/building/answer.sh prints the lines between these marks */
    return "ltesim simulates MIMO receivers on an LTE carrier: how many bits are wrong at\n"
           "each SNR, and whether each slot of 0.5 ms is detected in time. Three to try:\n"
           "\n"
           "  ltesim quick                        ZF and MMSE in a few seconds\n"
           "  ltesim 20mhz_4x4                    20 MHz, 4x4, with error rates and deadline\n"
           "  ltesim 20mhz_4x4 --set modulation=64qam    with another modulation\n"
           "\n"
           "Results go to the terminal and to a folder below out. ltesim --list shows the\n"
           "scenarios, with the time that each takes, and what a scenario can choose from;\n"
           "ltesim --help shows the options.\n";
    /* start ends */
}

const char *lte_options_help(void)
{
    /* help begins: sim/building/answer.sh prints the lines between these marks */
    return "usage: ltesim SCENARIO [options]     a name of --list, a file, or - for stdin\n"
           "       ltesim merge DIR DIR... [--out DIR]  join runs that had --slots\n"
           "       ltesim report DIR... [-o FILE]       write a page about results\n"
           "       ltesim compare DIR DIR... [--plot FILE]  is a run worse than the first?\n"
           "       ltesim plot DIR... -o FILE    draw results: .svg .png .pdf .tex\n"
           "       ltesim methods [NAME] [--size N] [--type TYPE] [--json]\n"
           "                                     the methods behind it, measured here\n"
           "       ltesim bench [TOPIC]          its speed beside stored figures\n"
           "\n"
           "Simulates MIMO detection on an LTE carrier: how many bits are wrong, and whether\n"
           "each slot of 0.5 ms is detected in time. scenarios/README.md explains the keys.\n"
           "\n"
           "  --only ber|deadline  run one of the two jobs (default: both)\n"
           "  --set PATH=VALUE     override a key of the scenario; may be given again, as in\n"
           "                       --set modulation=64qam --set detectors=zf,mmse\n"
           "                       --set 'sweep.snr_db=[0.0,20.0,2.0]'; the value default\n"
           "                       removes a key\n"
           "  --backend NAME       compute on this backend of --list\n"
           "  --threads N          use N CPU threads, 1 to 1024 (default: OMP_NUM_THREADS,\n"
           "                       else all processors)\n"
           "  --device-memory MB   let a sweep use this much GPU memory, 1 to 1048576\n"
           "                       (default: 2048)\n"
           "  --host-memory MB     let the run use this much host memory, 1 to 1048576\n"
           "  --slots FIRST:LAST   count only these slots of every point; ltesim merge joins\n"
           "                       such parts of a sweep\n"
           "  --out DIR, -o DIR    write results to this folder (default: out/ and the\n"
           "                       scenario's name, with what --set says); with report,\n"
           "                       the file (default: report.html in the first folder);\n"
           "                       with plot and methods, the picture\n"
           "  --resume             continue the interrupted run in the result folder\n"
           "  --blocks             write blocks.csv, a line for each transmission\n"
           "  --dump-channel FILE  write the channels of the slots that the run used (HDF5)\n"
           "  --replay SLOT        print one slot in detail, 0 to 2^60, run nothing else\n"
           "  --table              print every row as it is counted, and the times of all\n"
           "                       stages; the summary stands below\n"
           "  --no-plot            draw no picture\n"
           "  --report             write report.html, a page with tables and figures\n"
           "  --plot FILE          with compare: a picture of all runs\n"
           "  --show FIGURE        with plot: ber, rate, timing, pareto, ... (default: all)\n"
           "  --figure column|slide  with plot: for a paper's column (8.5 cm), or a slide\n"
           "  --paired             with plot: paired differences\n"
           "  --size N             with methods: the matrices' size\n"
           "  --type TYPE          with methods product: how matrices are stored, as in\n"
           "                       '[2][1024][512]', the left half before the right one\n"
           "  --json               with methods, --list: print JSON\n"
           "  --pareto             of a search: what each detector costs at the target\n"
           "  --require-deadline   exit with 3 unless the deadline is met\n"
           "  --verify             check the channel against its statistics, and rows\n"
           "                       against closed forms (4 standard errors); exit with 4\n"
           "                       if one fails. Scenario 3gpp, or a part of it as\n"
           "                       3gpp=1.4MHz,1x2: the points of TS 36.104\n"
           "  --limit N            with 3gpp: most drops of a point (2000)\n"
           "  --margin             with 3gpp: search the margins, too\n"
           "  --explain            print the plan and its cost, and run nothing\n"
           "  --quiet              show no progress\n"
           "  --list               show scenarios, detectors, backends, ...\n"
           "  --version            show the version and the build's parts\n"
           "  --help, -h           show this text\n"
           "\n"
           "The summary goes to stdout, progress to stderr, files to the folder.\n"
           "\n"
           "exit: 0 done, 1 failed while running, 2 wrong usage or scenario,\n"
           "      3 deadline missed, or could not be judged,\n"
           "      4 verification failed (this goes before 3),\n"
           "      5 compare: a later run is worse than the first,\n"
           "      130 after SIGINT, 143 after SIGTERM, 129 after SIGHUP\n";
    /* help ends */
}

static lte_status read_only(const char *text, lte_options *o)
{
    o->only = strcmp(text, "ber") == 0 ? LTE_RUN_BER : LTE_RUN_DEADLINE;
    if (o->only == LTE_RUN_DEADLINE && strcmp(text, "deadline") != 0)
        return lte_refuse("--only %.60s: must be ber or deadline", text);
    return LTE_OK;
}

static lte_status read_backend(const char *text, lte_options *o)
{
    char backend[LTE_BACKEND_NAME];
    o->backend = text;
    return lte_scenario_read_backend(text, "--backend", backend, sizeof backend);
}

static lte_status read_set(const char *text, lte_options *o)
{
    o->sets[o->n_sets++] = text;
    return LTE_OK;
}

static lte_status read_part(const char *text, lte_options *o)
{
    return lte_part_read(text, &o->part);
}

static lte_status read_count(const char *name, const char *text, int most, int *count)
{
    char *end = NULL;
    errno = 0;
    long n = strtol(text, &end, 10);
    size_t digits = strspn(text, "0123456789");
    if (errno || digits == 0 || text[digits] || n < 1 || n > most)
        return lte_refuse("--%s %.60s: must be an integer, 1 to %d", name, text, most);
    *count = (int)n;
    return LTE_OK;
}

static lte_status read_slot(const char *text, lte_options *o)
{
    const size_t digits = strspn(text, "0123456789");
    errno = 0;
    const unsigned long long slot = strtoull(text, NULL, 10);
    if (errno || digits == 0 || text[digits] || slot > LTE_MAX_REPLAY_SLOT)
        return lte_refuse("--replay %.60s: must be the number of a slot, 0 to 2^60", text);
    o->replay = true;
    o->replay_slot = slot;
    return LTE_OK;
}

static lte_status read_figure(const char *text, lte_options *o)
{
    o->figure = strcasecmp(text, "column") == 0  ? LTE_DRAWING_COLUMN
                : strcasecmp(text, "slide") == 0 ? LTE_DRAWING_SLIDE
                                                 : LTE_DRAWING_SCREEN;
    if (o->figure != LTE_DRAWING_SCREEN)
        return LTE_OK;
    return lte_refuse("--figure %.20s: must be column or slide", text);
}

/*
 * All options: that they are there, a count, a text that is not empty, or by a reader of their own.
 */
typedef enum { FLAG, COUNT, TEXT, OWN } option_kind;
static const struct {
    const char *name;
    option_kind kind;
    int most;         /* of a count */
    size_t at;        /* of a member of lte_options */
    const char *must; /* of a text: what it must do */
    lte_status (*read)(const char *text, lte_options *o);
} known[] = {
#define AT(member) .at = offsetof(lte_options, member)
    {"only", OWN, .read = read_only},
    {"backend", OWN, .read = read_backend},
    {"threads", COUNT, LTE_MAX_THREADS, AT(threads)},
    {"device-memory", COUNT, LTE_MAX_DEVICE_MB, AT(device_mb)},
    {"host-memory", COUNT, LTE_MAX_HOST_MB, AT(host_mb)},
    {"set", OWN, .read = read_set},
    {"slots", OWN, .read = read_part},
    {"out", TEXT, AT(out), .must = "name a folder"},
    {"resume", FLAG, AT(resume)},
    {"blocks", FLAG, AT(blocks)},
    {"dump-channel", TEXT, AT(dump_channel), .must = "name a file"},
    {"replay", OWN, .read = read_slot},
    {"table", FLAG, AT(table)},
    {"no-plot", FLAG, AT(no_plot)},
    {"plot", TEXT, AT(plot), .must = "name a file"},
    {"show", TEXT, AT(show), .must = "name a picture"},
    {"figure", OWN, .read = read_figure},
    {"paired", FLAG, AT(paired)},
    {"size", COUNT, LTE_MAX_METHOD_SIZE, AT(size)},
    {"limit", COUNT, LTE_MAX_CONFORMANCE_DROPS, AT(limit)},
    {"margin", FLAG, AT(margin)},
    {"type", TEXT, AT(type), .must = "be a type such as [2][1024][512]"},
    {"json", FLAG, AT(json)},
    {"report", FLAG, AT(report)},
    {"pareto", FLAG, AT(pareto)},
    {"require-deadline", FLAG, AT(require_deadline)},
    {"explain", FLAG, AT(explain)},
    {"verify", FLAG, AT(verify)},
    {"quiet", FLAG, AT(quiet)},
    {"list", FLAG, AT(list)},
    {"version", FLAG, AT(version)},
    {"help", FLAG, AT(help)},
};
enum { N_KNOWN = sizeof known / sizeof *known, N_TAKEN = 6 };
enum { FIRST = 256 }; /* getopt returns their places behind it, beyond the characters */

/* The place of the option of a name. */
static int place_of(const char *name)
{
    int i = 0;
    while (strcmp(known[i].name, name) != 0)
        i++;
    return i;
}

/* What takes the place of a scenario, and the options that go with it. */
static const struct {
    const char *name, *word, *takes, *usage; /* word: what stands behind it */
    const char *options[N_TAKEN];            /* up to NULL */
    int fewest;                              /* words behind it */
} commands[LTE_N_ASKED] = {
    [LTE_ASKED_MERGE] = {"merge",
                         "folder",
                         "counts nothing; it takes only --out, --no-plot, --table and --quiet",
                         "DIR DIR... [--out DIR]",
                         {"out", "no-plot", "table", "quiet"},
                         1},
    [LTE_ASKED_REPORT] =
        {"report", "folder", "runs nothing; it takes only --out", "DIR... [-o FILE]", {"out"}, 1},
    [LTE_ASKED_COMPARE] = {"compare",
                           "folder",
                           "runs nothing; it takes only --plot",
                           "DIR DIR... [--plot FILE]",
                           {"plot"},
                           2},
    [LTE_ASKED_METHODS] =
        {"methods",
         "method",
         "simulates nothing; it takes only --size, --type, --json, --out, --backend and --threads",
         "[NAME] [--size N] [--type TYPE] [--json] [-o FILE]",
         {"size", "type", "json", "out", "backend", "threads"},
         0},
    [LTE_ASKED_BENCH] = {"bench",
                         "topic",
                         "times the program against others; it takes only a topic",
                         "[TOPIC]",
                         {NULL},
                         0},
    [LTE_ASKED_PLOT] = {"plot",
                        "folder",
                        "runs nothing; it takes only --out, --show, --figure and --paired",
                        "DIR... -o FILE [--show FIGURE] [--figure column|slide] [--paired]",
                        {"out", "show", "figure", "paired"},
                        1},
};
/* Refuses an option that was given and does not go with the command. */
static lte_status judge_given(const lte_options *o, lte_asked command)
{
    for (int i = 0; i < N_KNOWN; i++) {
        bool fits = !(o->given & UINT64_C(1) << i);
        for (int k = 0; k < N_TAKEN && commands[command].options[k]; k++)
            fits = fits || strcmp(commands[command].options[k], known[i].name) == 0;
        if (!fits)
            return lte_refuse("--%s: %s %s", known[i].name, commands[command].name,
                              commands[command].takes);
    }
    return LTE_OK;
}

static lte_status read_option(int i, lte_options *o)
{
    void *member = (char *)o + known[i].at;
    o->given |= UINT64_C(1) << i;
    switch (known[i].kind) {
    case FLAG:
        *(bool *)member = true;
        return LTE_OK;
    case COUNT:
        return read_count(known[i].name, optarg, known[i].most, member);
    case TEXT:
        *(const char **)member = optarg;
        return *optarg ? LTE_OK : lte_refuse("--%s: must %s", known[i].name, known[i].must);
    default:
        return known[i].read(optarg, o);
    }
}

/* True if the option was typed in full: getopt takes a beginning of it too. */
static bool is_whole(const char *typed, int i)
{
    return strcspn(typed, "=") == strlen(known[i].name) + 2;
}

static lte_status refuse_typed(const char *typed)
{
    char name[64];
    const bool is_long = strncmp(typed, "--", 2) == 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, "="), typed);
    lte_near_name near = {.name = is_long ? name + 2 : name};
    for (int i = 0; is_long && i < N_KNOWN; i++)
        lte_near_name_try(&near, known[i].name);
    if (near.meant)
        return lte_refuse("%.60s: unknown option; did you mean --%s?", typed, near.meant);
    return lte_refuse("%.60s: unknown option; see ltesim --help", typed);
}

/* The option that getopt stopped at, as it was typed. */
static lte_status refuse_option(int option, char **argv)
{
    const char *typed = argv[optind - 1];
    if (option == ':')
        return lte_refuse("%.60s needs a value; see ltesim --help", typed);
    if (optopt >= FIRST)
        return lte_refuse("--%s takes no value; see ltesim --help", known[optopt - FIRST].name);
    if (optopt)
        return lte_refuse("-%c: unknown option; see ltesim --help", optopt);
    return refuse_typed(typed);
}

/* Two names where one scenario goes: the first may be a misspelt command. */
static lte_status refuse_second(const char *first, const char *second)
{
    lte_near_name near = {.name = first};
    for (int i = LTE_ASKED_NOTHING + 1; i < LTE_N_ASKED; i++)
        lte_near_name_try(&near, commands[i].name);
    if (near.meant)
        return lte_refuse("%.60s: unknown command; did you mean %s?", first, near.meant);
    return lte_refuse("%.60s and %.60s are two scenarios; give one; see ltesim --help", first,
                      second);
}

/* The scenario, or a command and the folders behind it. */
static lte_status read_argument(const char *path, lte_options *o)
{
    if (o->asked) {
        o->folders[o->n_folders++] = path;
        return *path ? LTE_OK
                     : lte_refuse("%s: the name of a %s is empty", commands[o->asked].name,
                                  commands[o->asked].word);
    }
    for (int i = LTE_ASKED_NOTHING + 1; i < LTE_N_ASKED && !o->scenario; i++)
        o->asked = strcmp(path, commands[i].name) == 0 ? (lte_asked)i : o->asked;
    if (o->asked)
        return LTE_OK;
    if (o->scenario && strchr(path, '='))
        return lte_refuse("%.60s: a key and its value go after --set; see ltesim --help", path);
    if (o->scenario)
        return refuse_second(o->scenario, path);
    o->scenario = path;
    return *path ? LTE_OK : lte_refuse("the scenario's file name is empty");
}

static lte_status judge_command(const lte_options *o, lte_asked command)
{
    const char *name = commands[command].name, *usage = commands[command].usage;
    if (judge_given(o, command))
        return LTE_EINVAL;
    if (o->n_folders < commands[command].fewest && o->n_folders == 0)
        return lte_refuse("%s: no folder is given; usage: ltesim %s %s", name, name, usage);
    if ((command == LTE_ASKED_METHODS || command == LTE_ASKED_BENCH) && o->n_folders > 1)
        return lte_refuse("%s: %.60s and %.60s are two %ss; give one", name, o->folders[0],
                          o->folders[1], commands[command].word);
    if (command == LTE_ASKED_METHODS && o->n_folders == 0 && o->given)
        return lte_refuse("methods: options need a method; usage: ltesim %s %s", name, usage);
    if (command == LTE_ASKED_PLOT && !o->out)
        return lte_refuse("plot: no file is given; usage: ltesim %s %s", name, usage);
    if (o->n_folders < commands[command].fewest)
        return lte_refuse("compare: only one folder is given; usage: ltesim %s %s", name, usage);
    return LTE_OK;
}

/* What does not go together, or lacks something. */
static lte_status judge(const lte_options *o)
{
    const bool says = o->help || o->version || o->list, shows = o->explain || o->replay;
    const bool deadline_alone = o->only == LTE_RUN_DEADLINE, ber_alone = o->only == LTE_RUN_BER;
    const bool some = o->only != LTE_RUN_ALL, part = o->part.given, must = o->require_deadline;
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {(o->limit || o->margin) && !o->conformance, "--limit and --margin need --verify 3gpp"},
        {o->size || o->type, "--size and --type need the command methods"},
        {o->json && !o->list, "--json needs the command methods or --list"},
        {o->show || o->figure || o->paired, "--show, --figure and --paired need the command plot"},
        {o->plot, "--plot needs the command compare; a run draws its own pictures"},
        {part && (deadline_alone || shows || o->verify || must || o->dump_channel),
         "--slots counts a part of the sweep and runs nothing else; it cannot go with --only "
         "deadline, --explain, --replay, --verify, --require-deadline or --dump-channel"},
        {!o->scenario && !says,
         "no scenario is given; usage: ltesim SCENARIO [options]; see ltesim --help"},
        {o->conformance && (some || part || shows || must || o->dump_channel || o->report),
         "--verify 3gpp runs its own sweeps and nothing else; it cannot go with --only, --slots, "
         "--explain, --replay, --require-deadline, --dump-channel or --report"},
        {ber_alone && must, "--require-deadline cannot go with --only ber, which runs no deadline"},
        {o->pareto && (some || part || o->conformance || shows || must),
         "--pareto times detectors in place of the deadline run; it cannot go with --only, "
         "--slots, --verify 3gpp, --explain, --replay or --require-deadline"},
        {deadline_alone && o->verify,
         "--verify cannot go with --only deadline, which has no rows to verify"},
        {o->resume && (deadline_alone || shows),
         "--resume continues a sweep; it cannot go with --only deadline, --explain or --replay"},
        {o->blocks && (deadline_alone || shows),
         "--blocks writes the transmissions of a sweep; it cannot go with --only deadline, "
         "--explain or --replay"},
        {o->report && shows, "--report cannot go with --explain or --replay, which write no file"},
        {o->explain && o->dump_channel,
         "--dump-channel cannot go with --explain, which runs no slot"},
        {o->replay && (some || o->explain || o->verify || must || o->dump_channel),
         "--replay prints one slot and runs nothing else; it cannot go with --only, --explain, "
         "--verify, --require-deadline or --dump-channel"},
    };
    if (o->asked && !says)
        return judge_command(o, o->asked);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong)
            return lte_refuse("%s", rules[i].why);
    }
    return LTE_OK;
}

lte_status lte_options_parse(int argc, char **argv, lte_options *options)
{
    struct option long_options[N_KNOWN + 1] = {{NULL, 0, NULL, 0}};
    *options = (lte_options){.device_mb = LTE_DEVICE_MB};
    for (int i = 0; i < N_KNOWN; i++)
        long_options[i] = (struct option){known[i].name, known[i].kind != FLAG, NULL, FIRST + i};
    options->sets = calloc((size_t)argc + 1, sizeof *options->sets);
    options->folders = calloc((size_t)argc + 1, sizeof *options->folders);
    options->command = lte_command_text(argc, argv);
    if (!options->sets || !options->folders || !options->command)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the command line");
    opterr = 0;
    optind = 0; /* as the GNU getopt wants it for a fresh start */
    lte_status status = LTE_OK;
    while (!status) {
        const int at = optind > 0 ? optind : 1;
        int option = getopt_long(argc, argv, "-:ho:", long_options, NULL); /* -: keeps the order */
        if (option == -1)
            break;
        if (option == 1)
            status = read_argument(optarg, options);
        else if (option == 'h')
            options->help = true;
        else if (option == 'o')
            status = read_option(place_of("out"), options);
        else if (option >= FIRST)
            status = is_whole(argv[at], option - FIRST) ? read_option(option - FIRST, options)
                                                        : refuse_typed(argv[at]);
        else
            status = refuse_option(option, argv);
    }
    for (int i = optind; !status && i < argc; i++) /* behind -- */
        status = read_argument(argv[i], options);
    options->conformance =
        options->verify && options->scenario &&
        (strcmp(options->scenario, "3gpp") == 0 || strncmp(options->scenario, "3gpp=", 5) == 0);
    if (!status)
        status = judge(options);
    if (options->part.given)
        options->only = LTE_RUN_BER;
    return status;
}

void lte_options_fini(lte_options *options)
{
    free(options->sets);
    free(options->folders);
    free(options->command);
    *options = (lte_options){0};
}
