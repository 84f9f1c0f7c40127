/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.nio.file.Path;
import java.util.List;

/**
 * How daemons are started by one object; a cluster does not keep it. Immutable.
 *
 * @param cacheDir where packed jars and archives of classes are kept, absolute
 * @param nameNodeArguments command line of NameNodes, as {@code -rollingUpgrade started}
 * @param dataNodeArguments command line of DataNodes, as {@code -rollback}
 * @param daemons what comes beside the command line of a daemon
 */
record Launch(
    Path cacheDir,
    List<String> nameNodeArguments,
    List<String> dataNodeArguments,
    DaemonLaunch daemons) {
  Launch {
    cacheDir = cacheDir.toAbsolutePath();
    nameNodeArguments = List.copyOf(nameNodeArguments);
    dataNodeArguments = List.copyOf(dataNodeArguments);
  }

  /** Daemons without arguments. */
  static Launch plain(Path cacheDir) {
    return new Launch(cacheDir, List.of(), List.of(), DaemonLaunch.PLAIN);
  }

  Launch withCacheDir(Path dir) {
    return new Launch(dir, nameNodeArguments, dataNodeArguments, daemons);
  }

  Launch withNameNodeArguments(List<String> arguments) {
    return new Launch(cacheDir, arguments, dataNodeArguments, daemons);
  }

  Launch withDataNodeArguments(List<String> arguments) {
    return new Launch(cacheDir, nameNodeArguments, arguments, daemons);
  }

  Launch withDaemons(DaemonLaunch wanted) {
    return new Launch(cacheDir, nameNodeArguments, dataNodeArguments, wanted);
  }

  /** The command line of a daemon with that role. */
  List<String> arguments(DaemonRole role) {
    return switch (role) {
      case NAMENODE, PAIRED_NAMENODE -> nameNodeArguments;
      case DATANODE -> dataNodeArguments;
      case JOURNALNODE, LSTOR, RESOURCEMANAGER, JOBHISTORY, NODEMANAGER -> List.of();
    };
  }
}
