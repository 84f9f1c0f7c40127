/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.mapping.MappingTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** {@code hdfs izs -importance}: sets the importance of a file or tree. */
final class ImportanceCommand extends ConsoleCommand {
  private static final String NONE = "none";

  ImportanceCommand(Console console) {
    super(
        console,
        "-importance",
        "<class>|none <path>",
        """
    Sets the importance of a file, or of a directory and all below it that has none of its own, as
    the attribute user.parity.importance; none takes it away. The classes are those of the rule
    table (dfs.parity.izs.mapping.file): not-important, important, very-important in the paper's.
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(), Set.of(), List.of("the class", "the path"));
    String value = a.operand(0);
    MappingTable table = Mappings.load(AccessOptions.of(console.conf()));
    if (!value.equals(NONE) && table.importance(value).isEmpty()) {
      throw new UsageException(
          "class=" + value + ", expected none or one of " + table.importanceNames());
    }
    Path path = new Path(a.operand(1));
    FileSystem fs = path.getFileSystem(console.conf());
    if (!value.equals(NONE)) {
      fs.setXAttr(path, Importances.XATTR, value.getBytes(StandardCharsets.UTF_8));
      console.out().println("Importance " + value + " set on " + path);
    } else if (fs.getXAttrs(path).containsKey(Importances.XATTR)) {
      fs.removeXAttr(path, Importances.XATTR);
      console.out().println("Importance taken from " + path);
    } else {
      console.out().println("No importance was set on " + path);
    }
    return 0;
  }
}
