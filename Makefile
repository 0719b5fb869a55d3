# One command for each thing; CI runs the same ones.
#
#   make serve PORT=9000                  a port of your own
#   make serve ARGS="--database art.db"   any option of `carousel serve`
#   make test PHASES="lint unit"          only these phases

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help serve build pictures photos deb tarball docc npm test check lint format clean fuzz soak picture docs
.PHONY: bench-engine bench-layouts bench-http bench-cache bench-client bench-store bench-edits bench-cluster bench-views bench-memory bench-photos

# Every build checks that a module imports only what Package.swift says it depends on.
SWIFT_FLAGS := --explicit-target-dependency-import-check error
RELEASE := .build/release/carousel
DOCS := mkdocs build --quiet --strict --config-file Documentation/mkdocs.yml
# On Linux C++'s library is linked in, from the folder of the build. That of a new system needs a new glibc.
ifeq ($(shell uname),Linux)
LINK_CXX = @folder=$$(swift build -c release --show-bin-path) && mkdir -p $$folder && \
  ln -sf "$$(clang -print-file-name=libstdc++.a)" $$folder
endif

# `carousel --version` prints the commit. Without git, name it: make build COMMIT=...
COMMIT ?= $(or $(CAROUSEL_COMMIT),$(shell git describe --always --dirty --exclude='*' --abbrev=12 2>/dev/null))

help: ## show this list
	@awk -F ': .*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: build ## build for release and serve the built-in strips; PORT=8080, ARGS=
	@$(RELEASE) serve $(if $(PORT),--port $(PORT)) $(ARGS) || { status=$$?; \
	  echo 'make serve takes the options so: PORT=9000, ARGS="--database art.db"' >&2; \
	  exit $$status; }

build: ## install what building needs, and build the program, the scripts and /docs/
	@Scripts/install build
	@Scripts/bundle
	@$(DOCS)
	$(LINK_CXX)
	CAROUSEL_COMMIT=$(COMMIT) swift build -c release --product carousel $(SWIFT_FLAGS)

pictures: build ## build also carousel-pictures, the program that reads pictures for `carousel photos`
	swift build -c release --product carousel-pictures $(SWIFT_FLAGS)

photos: pictures ## install what reads pictures, build, and serve FOLDER=~/Pictures as a wall; PORT=8080, ARGS=
	@Scripts/install pictures
	@$(if $(FOLDER),$(RELEASE) photos "$(patsubst ~/%,$$HOME/%,$(FOLDER))" $(if $(PORT),--port $(PORT)) $(ARGS))

deb: pictures ## write a Debian package to .build/package
	@Scripts/install package
	@Scripts/package deb

tarball: pictures ## write a tarball for each Linux with glibc 2.34 or later to .build/package
	@Scripts/install package
	@Scripts/package tarball

docc: ## document Windowing with DocC; a warning is an error
	swift package --package-path Documentation/DocC --scratch-path .build/docc \
	  generate-documentation --product Windowing --warnings-as-errors

test: ## install what tests need, and run them all
	@Scripts/install build tests
	@SWIFT_FLAGS="$(SWIFT_FLAGS)" CAROUSEL_COMMIT=$(COMMIT) Scripts/test $(PHASES)

soak: build ## long tests: 200 kills of each writer, 2,000 damaged pictures, 50 stops under load, 1,000 attackers, all browsers, packages, the image
	@Scripts/install tests
	KILLS=200 DAMAGED=2000 FLIPS=500 STOPS=50 ATTACKERS=1000 ATTACK_SECONDS=60 FLOODED_ITEMS=10000000 \
	  CAROUSEL=$$PWD/$(RELEASE) .venv/bin/pytest -q -p no:cacheprovider \
	  Tests/Contract/test_killed.py Tests/Contract/test_damage.py \
	  Tests/Contract/test_stopping.py Tests/Contract/test_attacks.py \
	  Tests/Contract/test_photos_killed.py Tests/Contract/test_photos_damaged.py
	CLUSTER_SECONDS=60 FLIPS=500 CAROUSEL=$$PWD/$(RELEASE) Scripts/with-postgres \
	  .venv/bin/pytest -q -p no:cacheprovider Tests/Cluster/test_many_servers.py \
	  Tests/Cluster/test_damaged_pages.py
	SOAK=1 CAROUSEL=$$PWD/$(RELEASE) .venv/bin/pytest -q -p no:cacheprovider --engines all -m logic Tests/Browser
	@Scripts/test package container

check: ## lint and unit tests
	@Scripts/install build python
	@SWIFT_FLAGS="$(SWIFT_FLAGS)" CAROUSEL_COMMIT=$(COMMIT) Scripts/test lint release unit

lint: ## the format, and the rules that the compiler does not hold
	@Scripts/lint

format: ## bring every Swift file into the project's format
	swift format --in-place --recursive $(wildcard Sources Tests Benchmarks Examples) Package.swift

clean: ## remove everything that was built or installed into the project
	rm -rf .build .venv Public/js/bundle Public/docs

fuzz: ## fuzz the parsing of requests, for SECONDS=30
	@Scripts/install build
	@Tests/HTTPFuzz/run $(SECONDS)

bench-engine: ## measure Windowing; the figures go to .build/bench/bench-engine.json as well
	@Scripts/install build
	@mkdir -p .build/bench
	swift run -c release --package-path Benchmarks/Engine --scratch-path .build/bench-engine \
	  bench-engine .build/bench/bench-engine.json Documentation/engine-growth.svg

bench-layouts: ## measure lists, grids and justified rows of ten million items; also .build/bench/bench-layouts.json
	@Scripts/install build
	@mkdir -p .build/bench
	swift run -c release --package-path Benchmarks/Layouts --scratch-path .build/bench-layouts \
	  bench-layouts .build/bench/bench-layouts.json

bench-http: build ## measure the server beside nginx; NAMES="new file", ARGS="--items 100000"
	@Scripts/install bench
	@Benchmarks/HTTP/bench.py $(ARGS) $(NAMES)

bench-cache: build ## measure what reaches the server behind Varnish; ARGS="--readers 1000 -- --fresh-for 1"
	@Scripts/install bench
	@python3 Benchmarks/Cache/bench.py $(ARGS)

bench-client: build ## measure the page in Chromium; also written to .build/bench/bench-client.json; ARGS=
	@Scripts/install build tests
	@.venv/bin/python Benchmarks/Client/bench.py $(ARGS)

npm: ## pack the element for npm: .build/carousel-strip-VERSION.tgz
	@Scripts/manifest
	@Scripts/npm

docs: ## build only the documentation for page authors, into Public/docs
	@Scripts/install docs
	@$(DOCS)

picture: build ## take the README's pictures again
	@Scripts/install build tests
	@.venv/bin/python Scripts/picture

bench-store: build ## measure imports, and how fast a server is ready; ARGS="--items 100000 --strips 2000"
	@Scripts/install bench
	@Benchmarks/Store/bench.py $(ARGS)

bench-cluster: build ## measure edits and imports on PostgreSQL; ARGS="--seconds 8 --writers 4 --servers 2"
	@Scripts/install tests
	@Benchmarks/Cluster/bench.py $(ARGS)

bench-views: build ## measure views of ten million items; ARGS="--store postgres --items 1000000"
	@Benchmarks/Views/bench.py $(ARGS)

bench-memory: build ## measure the memory of a server under attack; ARGS="--items 2000000 --strips 3 --seconds 1800"
	@Benchmarks/Memory/bench.py $(ARGS)

bench-photos: pictures ## measure folders of pictures; also written to .build/bench/bench-photos.json; ARGS="--small 100000 --large 20000"
	@Scripts/install pictures bench tests
	@.venv/bin/python Benchmarks/Photos/bench.py $(ARGS)

bench-edits: build ## measure edits in ten million items on SQLite; also written to .build/bench/bench-edits.json; ARGS=
	@Benchmarks/Edits/bench.py $(ARGS)
