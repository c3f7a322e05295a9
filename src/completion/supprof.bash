# bash completion for supprof(1)
# shellcheck shell=bash

# Offers the words in "$1" that begin with "$2"; "$3" stands before each.
_supprof_words() {
    mapfile -t COMPREPLY < <(compgen -P "$3" -W "$1" -- "$2")
    compopt +o bashdefault +o default
}

# Offers files that begin with "$1"; "$2" stands before each.
_supprof_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -P "$2" -f -- "$1")
}

# Offers the values of option "$1" that begin with "$2"; "$3" stands before each.
# Fails when the option takes no value.
_supprof_values() {
    local words
    case $1 in
    --output) _supprof_files "$2" "$3" && return ;;
    --format) words="top folded csv" ;;
    --top | --run) words="" ;;
    --by) words="function file mod line stack thread" ;;
    --sort) words="self total calls avg" ;;
    --thread) words="main coroutine all" ;;
    --unit) words="ns us ms s" ;;
    --paths) words="short full" ;;
    --color | --progress) words="auto always never" ;;
    *) return 1 ;;
    esac
    _supprof_words "$words" "$2" "$3"
}

_supprof() {
    local options="-o --output= -f --format= --top= --by= --sort= --call-sites --thread= --run=
        --unit= --paths= --strict -q --quiet -v --verbose --color= --progress= --help --version"
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
        _supprof_values "$previous" "" "" || compopt +o bashdefault +o default
        return
    fi
    if [[ $previous == = && ${COMP_WORDS[COMP_CWORD - 2]} == --* ]]; then
        _supprof_values "${COMP_WORDS[COMP_CWORD - 2]}" "$word" "" ||
            compopt +o bashdefault +o default
        return
    fi
    if [[ $word == --*=* ]]; then
        _supprof_values "${word%%=*}" "${word#*=}" "${word%%=*}=" ||
            compopt +o bashdefault +o default
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
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    else
        _supprof_files "$word" ""
    fi
}

complete -o bashdefault -o default -F _supprof supprof
