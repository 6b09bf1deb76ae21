# Reads the output of `cargo test -- --show-output` or `node --test` and shows it without what passing tests printed. Each skipped
# test is written to the file `skips` as "NAME: REASON".
#
# A Rust test that lacks something prints a line "skipped: REASON" and passes; libtest shows it below "successes:".

function note(name, reason) {
    print name ": " reason >> skips
    fflush(skips)
}

/^successes:$/ { hidden = 1 }
/^(failures:|test result: )/ { hidden = 0 }
hidden && /^---- .* stdout ----$/ { name = $2 }
hidden && /^skipped: / { note(name, substr($0, 10)) }
!hidden && / # SKIP/ {
    line = $0
    sub(/^[^A-Za-z0-9]*(ok [0-9]+ - )?/, "", line)
    sub(/ *\([0-9.]+ms\)/, "", line)
    sub(/ # SKIP.*/, "", line)
    note(line, "skipped by the browser tests")
}
!hidden { print; fflush() }
