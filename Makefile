.DEFAULT_GOAL := help
.PHONY: help build test demo build-outbox-publisher run-outbox-publisher bench gaps fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-24s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## make all jars, without checks and tests
	mvn -B -ntp -Dquick -Punpublished package

test: ## build and check everything, against real servers
	mvn -B -ntp verify

demo: ## see it work, with servers of its own
	./postcommit demo

build-outbox-publisher: ## make server/target/outbox-publisher.jar
	mvn -B -ntp -Dquick package -pl server -am

run-outbox-publisher: ## run a relay; servers that the settings do not name are started for it
	./postcommit relay --sandbox

bench: ## measure how fast a backlog is delivered
	./postcommit bench --only drain

gaps: ## measure how long a key is silent after a fault, in each layout; writes integration-tests/target/gaps.md
	mvn -B -ntp verify -pl integration-tests -am -Dit.test=GapsIT -Dgaps=true; result=$$?; cat integration-tests/target/gaps.md; exit $$result

fmt: ## format the code
	mvn -B -ntp -q -P peers,other-languages spotless:apply

clean: ## remove what builds made
	mvn -B -ntp -q -P peers,other-languages clean
