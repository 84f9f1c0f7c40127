/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Spark, by PySpark, in processes of their own. */
final class SparkClients {
  static final String PLAIN = "PySpark 4.3.0 (Hadoop client 3.5.0), without our jar";
  static final String WITH_JAR = "PySpark 4.3.0 (Hadoop client 3.5.0), with our jar";

  /** It has no append to a file: its mode "append" writes more files. */
  private static final Set<Operation> OPERATIONS =
      EnumSet.of(Operation.READ, Operation.WRITE, Operation.LIST);

  private SparkClients() {}

  /** A client without the suite's jar, and one with it. */
  static List<Client> of(Path site, Path folder) throws IOException, InterruptedException {
    String python = PythonEnvironment.pySpark(folder).toString();
    String script = ClientTools.resource("spark_client.py", folder).toString();
    String jars = String.join(java.io.File.pathSeparator, JavaClients.ours());
    return List.of(
        new LineClient(
            PLAIN,
            /* takesOurJar= */ true,
            OPERATIONS,
            List.of(python, script, site.toString(), ""),
            folder.resolve("spark.err")),
        new LineClient(
            WITH_JAR,
            /* takesOurJar= */ false,
            OPERATIONS,
            List.of(python, script, site.toString(), jars),
            folder.resolve("spark-jar.err")));
  }
}
