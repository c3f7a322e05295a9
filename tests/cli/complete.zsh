# complete.zsh FOLDER COMPLETIONS PROGRAM_FOLDER LINE...: prints what zsh, in FOLDER, makes of each line at a Tab.
zmodload zsh/zpty
for line in "${@:4}"; do
    zpty shell zsh -f -i
    zpty -w shell "cd ${(q)1}; PATH=${(q)3}:\$PATH; fpath=(${(q)2} \$fpath); autoload -Uz compinit; compinit -D -u
        unsetopt beep autolist; stty -echo
        show() { zle complete-word; print -r -- \"<\$BUFFER>\"; exit }; zle -N show; bindkey '^T' show; echo REA''DY"
    zpty -r shell out '*READY*'
    zpty -w -n shell "$line"$'\x14'
    zpty -r shell out '*<*>*'
    print -r -- "${${${out##*<}%%>*}% }"
    zpty -d shell
done
