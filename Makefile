# The two commands that matter: make demo, make test. Everything runs in .venv, which `make install` makes.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/.installed
DOCS_STAMP := $(VENV)/.installed-docs
WORKERS ?= 2
COVERAGE ?=
GAME ?= winter_kingdom
BENCH ?=
ifeq ($(GAME),kingdom_builder)
LADDER_AGENTS := random greedy planner policy search:milliseconds=20
LADDER_OPTIONS := --set sets=nomads,crossroads
LADDER_PLAYERS := 2 3 4 5
else
LADDER_AGENTS := random greedy planner search
LADDER_OPTIONS := --set twist=random
LADDER_PLAYERS := 2 3 4
endif
TRAIN ?= runs/hour
PEERS := .venv-peers
PEERS_PYTHON ?= $(shell command -v python3.12 || echo $(PYTHON))
KERNEL_TESTS := $(addprefix tests/unit/test_,grid.py kernels.py rewards.py files.py threads.py) \
    $(addprefix tests/winter_kingdom/,differential/test_small.py property/test_moves_agree.py) \
    $(addprefix tests/winter_kingdom/unit/test_,batch.py building.py turn.py economy.py twists.py scoring.py \
    abilities_build.py abilities_move.py ability_costs.py special_actions.py observation.py vector_kernels.py worth_and_features.py) \
    $(addprefix tests/dominion/unit/test_,bigmoney.py counts.py examples.py observation.py vectors.py worth_and_features.py) \
    $(addprefix tests/kingdom_builder/unit/test_,kernel_examples.py setup.py worth_and_features.py) tests/kingdom_builder/differential/test_lockstep.py \
    $(addprefix tests/house/test_,observation.py perft.py verbs_defaults.py search_kernels.py turn.py turn_search.py \
    action_rows.py::test_rows__every_seat__are_its_legal_actions_with_their_features action_rows.py::test_long_list__keeps_what_is_not_on_the_board_and_spreads_the_rest \
    hidden.py::test_determinize__points__are_those_of_what_was_dealt)
# Without compilation these take half a minute to a minute each; the small games reach the same lines.
TOO_SLOW := $(foreach game,winter_kingdom kingdom_builder,$(foreach test, \
    turn.py::test_play_game__every_turn_end_is_kept__and_the_same_seed_gives_the_same turn.py::test_agent__plays_a_game_to_its_end__reproducibly \
    perft.py::test_perft__three_ways__count_the_same,--deselect 'tests/house/test_$(test)[$(game)]'))

.DEFAULT_GOAL := help
.PHONY: help install demo test warm lint coverage bounds ladder train soak yardsticks soak-vector test-matrix test-web fuzz bench bench-full bench-peers notebooks docs docs-serve web-pictures clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

install: $(STAMP) ## make .venv with everything that the other targets need

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; say make PYTHON=path/to/python3.11")'
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(STAMP)

demo: install warm ## play a game of each kind, time the engine, and let five agents, a trained one among them, play a small tournament
	$(VENV)/bin/winterkingdom play --players 3 --seed 7 --agents random --set twist=random
	$(VENV)/bin/winterkingdom bench stepping --quick
	$(VENV)/bin/winterkingdom play --game dominion --seed 7 --agents greedy,bigmoney --set kingdom=first_game
	$(VENV)/bin/winterkingdom play --game kingdom_builder --players 3 --seed 7 --agents greedy --set sets=nomads,crossroads
	rm -rf demo
	$(VENV)/bin/winterkingdom arena random greedy planner policy search:simulations=100 --set twist=random \
	    --games 16 --seed 7 --processes 2 --out demo/tournament --report demo/report

test: install lint warm ## all tests: rules, lock-step with the reference, records, command line, kernel coverage (COVERAGE=no without it)
	$(RUN) -m pytest -n $(WORKERS) --durations=20
ifneq ($(COVERAGE),no)
	$(MAKE) --no-print-directory coverage
endif

test-matrix: install ## the wheel and the sdist on every Python that runs here, the lowest versions, pip install -e, the docs site (about half an hour)
	$(RUN) -m tests.matrix $(MATRIX)

test-web: install ## pages in Chromium, by clicks and keys; installs Playwright, and Chromium where apt-get may
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt playwright
	command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
	    || echo "no Chromium here, and no right to install it: the tests will be skipped"
	$(RUN) -m pytest -q -rs tests/web/test_browser.py tests/web/test_served_*.py

warm: install
	$(VENV)/bin/winterkingdom warm

lint: install ## ruff and mypy
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

coverage: install ## lines of the kernels, of rules, search and networks, reached by their tests, with compilation off; fails below 95 %
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -q -n $(WORKERS) --cov --cov-config=tests/kernels.coveragerc \
	    --cov-report=term --cov-fail-under=95 -W ignore::RuntimeWarning $(TOO_SLOW) $(KERNEL_TESTS)

bounds: install ## the rule tests with bounds checks in every kernel
	NUMBA_BOUNDSCHECK=1 $(RUN) -m pytest -q tests/unit tests/winter_kingdom/unit tests/winter_kingdom/differential

ladder: install warm ## the ladders of docs/agents.md, every number of players, and the arena's test of itself (about half an hour); GAME=kingdom_builder for its own
	for players in $(LADDER_PLAYERS); do $(VENV)/bin/winterkingdom arena $(LADDER_AGENTS) --game $(GAME) $(LADDER_OPTIONS) --players $$players \
	    --games $$((players == 2 ? 100 : players == 3 ? 36 : 60)) --seed 1 --processes 2 \
	    --out ladder/$(GAME)-$$players --report ladder/$(GAME)-$$players-report; done
	$(VENV)/bin/winterkingdom arena greedy greedy --game $(GAME) $(LADDER_OPTIONS) --games 300 --seed 2 --processes 2 --out ladder/$(GAME)-self

train: install warm ## train a network for an hour on two cores, evaluate it, and draw the report (TRAIN=folder of the run; goes on if it is there)
	if [ -e $(TRAIN)/settings.json ]; then $(VENV)/bin/winterkingdom train --resume $(TRAIN); \
	    else $(VENV)/bin/winterkingdom train --preset hour --seed 1 --out $(TRAIN); fi
	$(VENV)/bin/winterkingdom train report $(TRAIN)

soak: install ## 20,000 games in lock-step with the reference (about half an hour); GAME=dominion or kingdom_builder for another game
	$(RUN) -m tests.house.soak --game $(GAME) --games 20000

yardsticks: install ## known figures beside ours: Dominion's Big Money players, 20,000 games each; random play of Kingdom Builder, 2,000 games
	$(RUN) -m tests.dominion.yardsticks --games 20000
	$(RUN) -m tests.kingdom_builder.yardsticks --games 2000

soak-vector: install ## a million steps in the vector environment, every finished game checked by the reference; GAME=dominion or kingdom_builder for another game
	$(RUN) -m tests.house.vector_soak --game $(GAME) --steps 1000000 --games 1024

fuzz: install warm ## ten minutes of forged saves, files, messages and arguments; fails on a crash, a hang or a silent acceptance
	$(RUN) -m tests.fuzz --seconds 600 --workers $(WORKERS)

bench: install ## time legal moves, steps, the environments and compilation (three minutes)
	$(VENV)/bin/winterkingdom bench $(BENCH)

bench-full: install ## time everything but the peers, at length, into benchmarks/results/full.json
	$(VENV)/bin/winterkingdom bench --full --rounds 2 --out benchmarks/results/full.json $(BENCH)

bench-peers: ## time us beside other environments, in .venv-peers; PEERS_PYTHON=path/to/python3.12 for all of them
	test -x $(PEERS)/bin/python || $(PEERS_PYTHON) -m venv $(PEERS)
	echo '*' > $(PEERS)/.gitignore
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	grep -v '^#' benchmarks/peers.txt | while read -r peer; do \
	    $(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: -c constraints.txt $$peer \
	        || echo "left out: $$peer"; done
	$(PEERS)/bin/python -m benchmarks peers --rounds 3 --out benchmarks/results/peers.json $(BENCH)

notebooks: install warm ## run all notebooks again and keep their outputs (about five minutes)
	$(RUN) -m notebooks.build

web-pictures: install warm ## take the pictures of docs/web.md from the running page, in Chromium
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt playwright
	$(RUN) -m docs.web_pictures

docs: $(DOCS_STAMP) ## build the documentation into site/; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict

docs-serve: $(DOCS_STAMP) ## show the documentation at http://127.0.0.1:8000 and build it again after every edit
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs serve

$(DOCS_STAMP): $(STAMP)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	touch $(DOCS_STAMP)

clean: ## remove .venv and caches
	rm -rf $(VENV) $(PEERS) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* build dist site *.egg-info
