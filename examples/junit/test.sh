#!/bin/sh
# Compiles the client and its tests, and runs the tests with the jars of Debian. A project uses Maven or Gradle instead.
set -eu
cd "$(dirname "$0")"

jars=/usr/share/java
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
classpath=$classes
for name in gson junit-jupiter-api junit-jupiter-engine junit-platform-commons junit-platform-engine \
  junit-platform-launcher junit-platform-reporting junit-platform-console opentest4j \
  opentest4j-reporting-events opentest4j-reporting-schema apiguardian-api picocli; do
  classpath=$classpath:$jars/$name.jar
done

# The jars of Debian refer to jars that Debian does not have, hence -path.
find src -name '*.java' | xargs javac -Xlint:all,-path,-processing -Werror -d "$classes" -cp "$classpath"
java -cp "$classpath" org.junit.platform.console.ConsoleLauncher --scan-classpath "$classes" --fail-if-no-tests \
  --disable-banner --details=tree --disable-ansi-colors
