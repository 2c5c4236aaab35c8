FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /build
COPY . .
RUN mvn -B -ntp -Dquick package -pl server -am \
  && java -Djarmode=tools -jar server/target/outbox-publisher.jar extract --layers --destination layers

FROM eclipse-temurin:17-jre
RUN groupadd --gid 10001 postcommit \
  && useradd --uid 10001 --gid postcommit --no-create-home --shell /usr/sbin/nologin postcommit
WORKDIR /app
# What changes least comes first.
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./
COPY deploy/healthcheck ./
USER 10001:10001
# For a container of 256 MB, which has a third for the heap; another may have other options. The optimizing compiler is
# off, as it takes 25 MB and most of the CPU of the first seconds.
ENV JAVA_OPTS="-XX:MaxRAMPercentage=33 -XX:MinRAMPercentage=33 -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MinHeapFreeRatio=15 -XX:MaxHeapFreeRatio=30 -XX:TrimNativeHeapInterval=1000 -Xss512k -XX:ReservedCodeCacheSize=40m -XX:MaxDirectMemorySize=24m -XX:+ExitOnOutOfMemoryError -XX:-UsePerfData"
ENV MALLOC_ARENA_MAX=2
ENV POSTCOMMIT_BATCH_BYTES=900KiB
# Reached from outside only with POSTCOMMIT_HTTP_ADDRESS=0.0.0.0.
EXPOSE 8580
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/app/healthcheck"]
ENTRYPOINT ["sh", "-c", "exec java $JAVA_OPTS -jar outbox-publisher.jar \"$@\"", "outbox-publisher"]
CMD ["relay"]
