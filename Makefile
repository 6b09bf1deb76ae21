# Tabiya. `make help` lists the targets. OpenBench calls `make EXE=name [EVALFILE=path]`.

EXE      ?= tabiya
EVALFILE ?=
CARGO    ?= cargo
# Where valgrind counts: it knows AVX2, not AVX-512.
COUNTING  = RUSTFLAGS="-C target-cpu=x86-64-v3" CARGO_TARGET_DIR=target/counting

.DEFAULT_GOAL := engine
.PHONY: book dist dist-aarch64 dist-windows engine npm site pgo play terminal board test bench corpus fuzz instructions race soak portable clean help

# The page of the board. Cargo puts web/dist into the binary when it is there.
PAGE      = web/dist/index.html
PAGE_FROM = $(shell find web/src web/public -type f) web/index.html web/vite.config.js web/package.json

RELEASE   = $${CARGO_TARGET_DIR:-target}/release/tabiya
# Tests that could not run, one a line, and the filter that collects them.
SKIPS     = target/skipped-tests
SHOW      = awk -v skips=$(SKIPS) -f tools/test_output.awk

engine: ## Build the engine for this machine and leave it here as EXE (default: tabiya)
	EVALFILE="$(abspath $(EVALFILE))" $(CARGO) build --release -p tabiya
	@cp -f "$${CARGO_TARGET_DIR:-target}/release/tabiya" "$(EXE).tmp" && mv -f "$(EXE).tmp" "$(EXE)"

play: ## Build what is missing and open the board in the browser
	@command -v $(CARGO) >/dev/null 2>&1 || { echo "make play: Rust is not here; https://rustup.rs installs it" >&2; exit 1; }
	@if [ ! -x $(RELEASE) ]; then \
	  echo "make play: building the page and the engine; the first time this takes 5 to 10 minutes, later less than a second"; \
	fi
	@if command -v npm >/dev/null 2>&1 && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; then \
	  $(MAKE) --no-print-directory board && $(CARGO) build --release -p tabiya && exec $(RELEASE) serve; \
	else \
	  echo "make play: the board in the browser needs Node.js (20 or newer) with npm, which is not here: https://nodejs.org" >&2; \
	  echo "make play: starting a game in the terminal instead (make terminal does the same)" >&2; \
	  $(CARGO) build --release -p tabiya && exec $(RELEASE) play; \
	fi

terminal: ## A game in the terminal
	$(CARGO) build --release -p tabiya
	@exec $(RELEASE) play

board: $(PAGE) ## Build the page of the board (needs npm)

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

$(PAGE): web/node_modules/.package-lock.json $(PAGE_FROM)
	cd web && npm run --silent build

test: ## Everything CI runs: format, lints, unit, property, integration and doc tests, the board in a real browser
	@echo "make test: the page of the board, format, lints, Rust tests, tests of the scripts, browser tests"
	@echo "make test: the first run compiles everything and takes 10 to 30 minutes; what cannot run here is named in the last line"
	@mkdir -p target && : > $(SKIPS)
	@if command -v npm >/dev/null 2>&1; then $(MAKE) --no-print-directory board; fi
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	@echo "$(CARGO) test --workspace"
	@{ $(CARGO) test --workspace -- --show-output; echo $$? > target/test-status; } 2>&1 | $(SHOW) && exit $$(cat target/test-status)
	@if command -v python3 >/dev/null 2>&1; then python3 -m unittest discover -s tools -p 'test_*.py'; \
	else echo "tests of the scripts: no python3" >> $(SKIPS); fi
	@if [ -f $(PAGE) ]; then { (cd web && npm test --silent); echo $$? > target/test-status; } 2>&1 | $(SHOW) && exit $$(cat target/test-status); \
	else echo "browser tests: no npm" >> $(SKIPS); fi
	@if [ -z "$(TEST_NPM)" ]; then echo "npm package: make test TEST_NPM=1 tests it" >> $(SKIPS); \
	elif ! command -v node >/dev/null 2>&1; then echo "npm package: no node" >> $(SKIPS); \
	elif ! [ -d "$$(rustc --print target-libdir --target wasm32-wasip1)" ]; then \
	  echo "npm package: no target wasm32-wasip1 (rustup target add)" >> $(SKIPS); \
	else $(MAKE) --no-print-directory npm NPM=target/npm WASM=quick BUILDS=single && \
	  { TABIYA_NPM=target/npm TABIYA_NPM_BUILDS=single node --test --test-concurrency=1 npm/test/; echo $$? > target/test-status; } 2>&1 | $(SHOW) && exit $$(cat target/test-status); fi
	@if [ -s $(SKIPS) ]; then echo "make test: passed with $$(wc -l < $(SKIPS) | tr -d ' ') notes: $$(paste -sd ';' $(SKIPS) | sed 's/;/; /g')"; \
	else echo "make test: passed; nothing skipped"; fi

bench: ## Move generation against cozy-chess and shakmaty in one run
	$(CARGO) bench -p chess --bench perft

instructions: ## The same, and the serial search, counted in instructions by valgrind
	$(COUNTING) $(CARGO) bench -p chess --bench perft --no-run
	@bench=$$(ls -t target/counting/release/deps/perft-* | grep -v '\.d$$' | head -n 1); \
	for name in tabiya cozy-chess shakmaty; do \
	  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$$bench" --once $$name 2>&1 >/dev/null \
	    | awk -v name=$$name '/Collected/ { print name ": " $$4 " instructions" }'; \
	done
	$(COUNTING) $(CARGO) bench -p search --bench serial --no-run
	@bench=$$(ls -t target/counting/release/deps/serial-* | grep -v '\.d$$' | head -n 1); \
	for depth in 1 8; do \
	  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$$bench" $$depth 2>&1 \
	    | awk -v depth=$$depth '/ nodes$$/ { nodes = $$1 } /Collected/ { print "search to depth " depth ": " nodes " nodes, " $$4 " instructions" }'; \
	done
	$(COUNTING) $(CARGO) bench -p eval --bench network --no-run
	@bench=$$(ls -t target/counting/release/deps/network-* | grep -v '\.d$$' | head -n 1); \
	for name in hce scalar avx2; do for passes in 1 2; do \
	  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$$bench" $$name $$passes 2>&1 \
	    | awk -v name=$$name -v passes=$$passes '/Collected/ { print passes " passes of evaluations by " name ": " $$4 " instructions" }'; \
	done; done

soak: engine ## 10,000 fast games between all ways of searching together, then 10,000 stops each; resumable, adds up in results/engine/soak.csv, writes soak.md
	python3 tools/soak.py --engine "$(EXE)" $(SOAK)

fuzz: ## Ten minutes of fuzzing, all targets in turn; hours add up in fuzz/ledger.csv (needs a nightly toolchain and a C++ compiler)
	python3 tools/fuzz.py $(FUZZ)

corpus: ## The committed inputs of the fuzz targets, without a fuzzer
	cd fuzz && $(CARGO) test

race: ## Four real threads on the bench, each way of searching together, under ThreadSanitizer (needs a nightly toolchain with rust-src)
	RUSTFLAGS="-Zsanitizer=thread" CARGO_TARGET_DIR=target/race $(CARGO) +nightly test -Zbuild-std --target x86_64-unknown-linux-gnu --profile quick \
	  -p search --test parallel four_threads_on_the_bench -- --ignored --nocapture

book: ## The handbook as a web site in target/book, its links checked (needs mdbook)
	@command -v mdbook >/dev/null 2>&1 || { echo "make book: mdbook is not here; install it with: cargo install mdbook --locked" >&2; exit 1; }
	mdbook build docs
	python3 tools/check_book.py target/book

# Where `make npm` puts the package, and the Cargo profile of its modules.
NPM       ?= dist/npm
WASM      ?= wasm
BUILDS    ?= single scalar

npm: ## The npm package in dist/npm: the engine as a worker (needs rustup target add wasm32-wasip1)
	PROFILE=$(WASM) tools/wasm.sh engine-wasm $(NPM) $(BUILDS)
	cp -rf npm/index.js npm/index.cjs npm/index.d.ts npm/index.d.cts npm/tabiya.js npm/cli.js npm/package.json npm/README.md npm/lib npm/example LICENSE $(NPM)/
	cp -f crates/human-model/weights/reply.bin $(NPM)/

SITE      ?= dist/site

site: web/node_modules/.package-lock.json ## The board as plain files in dist/site, for any web host (needs npm and rustup target add wasm32-wasip1 wasm32-wasip1-threads)
	PROFILE=$(WASM) tools/wasm.sh board-wasm target/site-engine threads single
	@mkdir -p $(SITE)/engine
	cp -f target/site-engine/tabiya-threads.wasm $(SITE)/engine/tabiya-board.wasm
	cp -f target/site-engine/tabiya-single.wasm $(SITE)/engine/tabiya-board-single.wasm
	node web/tools/site.mjs $(SITE)

portable: ## A binary for any x86-64 CPU from 2013 on, as tabiya-portable
	RUSTFLAGS="-C target-cpu=x86-64-v3" CARGO_TARGET_DIR=target/portable $(CARGO) build --release -p tabiya
	cp -f target/portable/release/tabiya tabiya-portable

pgo: ## The engine optimised by a profile of its bench, left here as EXE (needs `rustup component add llvm-tools`)
	EVALFILE="$(abspath $(EVALFILE))" tools/pgo.sh native target/pgo -p tabiya
	@cp -f target/pgo/release/tabiya "$(EXE).tmp" && mv -f "$(EXE).tmp" "$(EXE)"

dist: ## A release archive for x86-64 Linux in dist/, with checksums
	@if command -v npm >/dev/null 2>&1; then $(MAKE) --no-print-directory board; fi
	tools/pgo.sh x86-64-v3 target/portable --locked -p tabiya
	tools/dist.sh x86_64-linux target/portable/release/tabiya

# Archives for other systems. WINE may name another runner; CROSS another profile, to try the recipe without LTO.
CROSS     ?= release
CROSS_DIR ?= target/cross
QEMU      ?= qemu-aarch64 -L /usr/aarch64-linux-gnu
WINE      ?= wine

dist-aarch64: ## The archive for Linux on 64-bit ARM (needs rustup target add aarch64-unknown-linux-gnu, gcc-aarch64-linux-gnu, qemu-user)
	@if command -v npm >/dev/null 2>&1; then $(MAKE) --no-print-directory board; fi
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc CARGO_TARGET_DIR=$(CROSS_DIR) \
	  $(CARGO) build --profile $(CROSS) --locked --target aarch64-unknown-linux-gnu -p tabiya
	TARGET=aarch64-unknown-linux-gnu tools/dist.sh aarch64-linux $(CROSS_DIR)/aarch64-unknown-linux-gnu/$(CROSS)/tabiya "$(QEMU)"

dist-windows: ## The archive for Windows (needs rustup target add x86_64-pc-windows-gnu, mingw-w64, wine)
	@if command -v npm >/dev/null 2>&1; then $(MAKE) --no-print-directory board; fi
	RUSTFLAGS="-C target-cpu=x86-64-v3" CARGO_TARGET_DIR=$(CROSS_DIR) \
	  $(CARGO) build --profile $(CROSS) --locked --target x86_64-pc-windows-gnu -p tabiya
	TARGET=x86_64-pc-windows-gnu tools/dist.sh x86_64-windows $(CROSS_DIR)/x86_64-pc-windows-gnu/$(CROSS)/tabiya.exe "$(WINE)"

clean: ## Remove everything built
	$(CARGO) clean
	rm -f "$(EXE)" tabiya-portable
	rm -rf web/dist dist

help: ## This list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
