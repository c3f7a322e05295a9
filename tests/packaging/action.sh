#!/bin/sh
# action.sh SUPPROF SOURCE_DIRECTORY
#
# packaging/action, as GitHub runs it for a pull request: what stands in the job's summary, the exit
# status, and which program runs. The release it downloads is a file; gh is a script.
. "$(dirname "$0")/../lib.sh"
supprof=$1
action=$2/packaging/action
cp -r "$2/fixtures/repeated" "$work/two  words"
cd "$work" || exit 1
export GITHUB_STEP_SUMMARY=$work/summary REPOSITORY=owner/supprof
old='two  words/old-*.log' new='two  words/new-*.log'

# job STATUS PROGRAM OLD NEW LIMITS
job() {
    wanted=$1
    checked=$((checked + 1))
    status=0
    PROGRAM=$2 OLD=$3 NEW=$4 LIMITS=$5 sh "$action/compare.sh" >stdout 2>stderr || status=$?
    [ "$status" -eq "$wanted" ] && [ ! -s stdout ] || fail "status $status, not $wanted: $*: $(cat stdout stderr)"
}

# The steps before this one have written to the summary, too.
echo before >summary
job 0 "$supprof" "$old" "$new" ""
"$supprof" -f markdown --repeated --diff "$old" "$new" 2>/dev/null | sed '1i before' >wanted
succeed "the summary" diff wanted summary
job 4 "$supprof" "$old" "$new" "total>+50%

total>+5%"
grep -q '^limit broken: total>+5%: it is +7.4%$' summary || fail "the summary names no broken limit"
grep -q '^supprof: limit broken' stderr || fail "the job's log names no broken limit"
each=$(printf '%s\n' two*/old-?.log)
: >summary
job 0 "$supprof" "$each" "$new" "total>+50%"
grep -q '^| ~ calls |' summary || fail "no table of logs that are named one by one"
job 1 "$supprof" "$old" nothing.log ""
# A limit is no pattern of the shell: the function that this one does not name is no error.
: >"self(QQ)>1s"
job 0 "$supprof" "$old" "$new" "self(?Q)>1s"
# What a pull request names is a log, never an option or a command.
job 1 "$supprof" "$old" "--output=x" ""
job 1 "$supprof" "-o" "\$(touch x)" ""
[ ! -e x ] || fail "a log was taken for something else"

# A file of the pull request's author lies in the checkout.
echo 'hide=^B' >.supprof
unset SUPPROF_NO_CONFIG
job 4 "$supprof" "$old" "$new" "self(?^B)>+5%"
rm .supprof
# Without a program, that of the action's version: the release if the action was taken from its tag or its
# commit, else what its sources make.
mkdir -p bin release/supprof-1.2.3-linux/bin action/packaging
cp -r "$action" action/packaging/
action=$work/action/packaging/action
echo 'project(supprof VERSION 1.2.3 LANGUAGES C' >action/CMakeLists.txt
cat >action/README.md <<END
\`\`\`sh
mkdir -p build/release && ln -sf '$supprof' build/release/supprof &&
  echo built >>'$work/made'
\`\`\`
END
cat >release/supprof-1.2.3-linux/bin/supprof <<END
#!/bin/sh
[ "\$1" != --version ] || { echo 'supprof 1.2.3 (commit 0123456789, x)'; exit; }
echo released >>'$work/made'
exec '$supprof' "\$@"
END
chmod +x release/supprof-1.2.3-linux/bin/supprof
tar czf release/supprof-1.2.3-linux.tar.gz -C release supprof-1.2.3-linux
(cd release && printf '%064d  supprof.html\n' 0 >SHA256SUMS && sha256sum supprof-*.gz >>SHA256SUMS)
cat >bin/gh <<'END'
#!/bin/sh
[ "$1 $2 $3 $4 $5 $6" = "release download v1.2.3 --repo owner/supprof --dir" ] && cp release/*SUMS release/*.gz "$7"
END
chmod +x bin/gh
PATH=$work/bin:$PATH

# takes REFERENCE PROGRAM
takes() {
    rm -f summary made
    REFERENCE=$1
    job 4 "" "$old" "$new" "total>+5%"
    grep -q '^limit broken' summary || fail "the program of $1 wrote no summary"
    same "the program of $1" "$(cat made)" "$2"
}
export REFERENCE
takes v1.2.3 released
takes v1 released
takes 0123456789abcdef0123456789abcdef01234567 released
takes 0123456788abcdef0123456789abcdef01234567 built
takes main built
takes v1-repair built
sed -i 's/^./g/' release/SHA256SUMS
job 1 "" "$old" "$new" "total>+5%"
rm release/*.gz
takes v1.2.3 built

# Each input reaches the script.
for name in new old fail-if program; do
    grep -q "inputs\.$name }}" "$action/action.yml" || fail "action.yml does not use $name"
done
for variable in $(grep -o '\$[A-Z]\+\b' "$action/compare.sh" | tr -d '$' | sort -u); do
    case $variable in
    IFS) ;;
    *) grep -q "^        $variable: " "$action/action.yml" || fail "action.yml sets no $variable" ;;
    esac
done
finish jobs
