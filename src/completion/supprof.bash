# bash completion for supprof(1)
# shellcheck shell=bash

# compopt fails where no completion is going on, as in a test; nobody need hear of it.
_supprof_compopt() {
    compopt "$@" 2>/dev/null
    return 0
}

# Keeps bash from offering files where nothing was found.
_supprof_no_files() {
    _supprof_compopt +o bashdefault +o default
}

# Offers the words in "$1" that begin with "$2"; "$3" stands before each.
_supprof_words() {
    mapfile -t COMPREPLY < <(compgen -P "$3" -W "$1" -- "$2")
    _supprof_no_files
}

# Offers files that begin with "$1"; "$2" stands before each.
_supprof_files() {
    _supprof_compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -P "$2" -f -- "$1")
}

# Offers the values of option "$1" that begin with "$2"; "$3" stands before each.
# Fails when the option takes no value.
_supprof_values() {
    local words
    case $1 in
    --output | --hide-file | --diff)
        _supprof_files "$2" "$3"
        return
        ;;
    --lua-root)
        _supprof_compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -P "$3" -d -- "$2")
        return
        ;;
    --format) words="top ticks peek folded csv ticks-csv speedscope pprof pprof-raw callgrind svg trace cpuprofile" ;;
    --top | --run | --ticks | --peek | --from | --to | --focus | --ignore | --hide | --show-from | --max-depth | --min-pct) words="" ;;
    --overhead) words="auto off" ;;
    --by) words="function file mod line stack thread" ;;
    --sort) words="self total calls avg max errors alloc" ;;
    --thread) words="main coroutine all" ;;
    --columns) words="self self% sum% total total% calls avg min mean max errors alloc noise main coroutine" ;;
    --normalize) words="call tick total none" ;;
    --metric) words="time calls errors alloc" ;;
    --orientation) words="icicle flame" ;;
    --unit) words="ns us ms s" ;;
    --paths) words="short full" ;;
    --color | --progress) words="auto always never" ;;
    *) return 1 ;;
    esac
    _supprof_words "$words" "$2" "$3"
}

_supprof() {
    local options="-o --output= -f --format= --top= --by= --sort= --ticks --peek= --from= --to= --overhead= --call-sites --thread= --run=
        --focus= --ignore= --hide= --hide-file= --show-from= --fold-recursion --max-depth= --min-pct= --columns= --diff= --normalize=
        --lua-root= --metric= --orientation= --unit= --paths= --strict -q --quiet -v --verbose --color= --progress= --help --version"
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} i
    COMPREPLY=()

    # Behind "--" there are only logs.
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _supprof_files "$word" ""
            return
        fi
    done

    # Bash makes three words of --by=file, unless '=' is not in COMP_WORDBREAKS.
    if [[ $word == = && $previous == --* ]]; then
        _supprof_values "$previous" "" "" || _supprof_no_files
        return
    fi
    if [[ $previous == = && ${COMP_WORDS[COMP_CWORD - 2]} == --* ]]; then
        _supprof_values "${COMP_WORDS[COMP_CWORD - 2]}" "$word" "" || _supprof_no_files
        return
    fi
    if [[ $word == --*=* ]]; then
        _supprof_values "${word%%=*}" "${word#*=}" "${word%%=*}=" || _supprof_no_files
        return
    fi

    # A short option has its value behind it or in the next word: -fcsv, -qf csv.
    if [[ $word =~ ^(-[qv]*[of])(.+)$ ]]; then
        case ${BASH_REMATCH[1]} in
        *o) _supprof_values --output "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}" ;;
        *f) _supprof_values --format "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}" ;;
        esac
        return
    fi
    if [[ $previous =~ ^-[qv]*o$ ]]; then
        previous=--output
    elif [[ $previous =~ ^-[qv]*f$ ]]; then
        previous=--format
    fi
    if [[ $previous == --* ]] && _supprof_values "$previous" "$word" ""; then
        return
    fi

    if [[ $word == -* ]]; then
        _supprof_words "$options" "$word" ""
        if [[ ${COMPREPLY[0]} == *= ]]; then
            _supprof_compopt -o nospace
        fi
    else
        _supprof_files "$word" ""
    fi
}

complete -o bashdefault -o default -F _supprof supprof
