/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import io.hdfsparity.bridge.doctor.FindingKind;
import java.util.List;
import java.util.Map;

/** Writes the reference of {@code hdfs parity}: what it prints, and all findings. Stateless. */
final class FindingReference {
  private static final Map<Character, String> AREAS =
      Map.of(
          '1', "Daemons and features",
          '2', "Configuration and security",
          '3', "HDFS",
          '4', "RAIDP",
          '5', "IZS, levels, verified parity",
          '6', "Updates in place",
          '7', "Stored order");

  private FindingReference() {}

  /** Content of docs/reference/doctor.md. */
  static String markdown(List<FindingKind> kinds) {
    StringBuilder b =
        new StringBuilder(
            """
            # hdfs parity: status and doctor

            This page is generated from the code; CONTRIBUTING.md says how.

            ```
            hdfs parity status [-json] [-datanodes HOST:PORT,...]
            hdfs parity doctor [-json] [-datanodes HOST:PORT,...]
            hdfs parity help [COMMAND]
            ```

            `status` shows all NameNodes, all DataNodes and each feature on one screen. `doctor` looks for what is wrong, on
            this host and in the daemons, and says what to do. Neither changes anything.

            Both ask every NameNode, standby ones too, and every live DataNode that a NameNode knows, at the ports of the
            suite (9876 and 9877). A call takes 5 seconds at most, all calls to the DataNodes 50 seconds, whatever hangs.
            The caller is an HDFS superuser or an administrator (`dfs.cluster.administrators`). With Kerberos, this host
            needs the principals of NameNodes and DataNodes in its configuration, as `hdfs dfsadmin` does.

            The port of a DataNode is the one that it has reported to RAIDP or to the session manager of updates, else that
            of `dfs.parity.datanode.rpc-address` on this host. `-datanodes` asks the DataNodes that it names, and no others.

            | exit code | meaning |
            |---|---|
            | 0 | nothing is wrong; `doctor` may have printed INFO |
            | 1 | `doctor`: an ERROR or a WARNING; `status`: a daemon is silent, none is active, or a feature failed |
            | 2 | wrong arguments |
            | 255 | the command failed: the caller is refused, or no NameNode is configured |

            ## -json

            Fields are only ever added within a `schema`. `doctor -json`:

            | field | value |
            |---|---|
            | `schema` | 1 |
            | `suiteVersion`, `hadoopVersion` | of this host |
            | `healthy` | false: an ERROR or a WARNING was found |
            | `errors`, `warnings`, `notes` | number of findings of each severity |
            | `nameNodes`, `dataNodes` | `asked` and `answered`, as numbers |
            | `findings` | all, the worst first |
            | `findings[].code`, `.severity` | as below |
            | `findings[].place` | `NameNode host:port`, `DataNode host:port`, `cluster` or `this host` |
            | `findings[].detail` | what is wrong there, with the values |
            | `findings[].meaning`, `.remedy` | as below |

            `status -json`:

            | field | value |
            |---|---|
            | `schema` | 1 |
            | `suiteVersion`, `hadoopVersion` | of this host |
            | `healthy` | false: see exit code 1 |
            | `nameNodes[].address` | host:port of the suite |
            | `nameNodes[].failure` | why it does not answer; then nothing else is there |
            | `nameNodes[].suiteVersion`, `.hadoopVersion` | of that NameNode |
            | `nameNodes[].nameservice`, `.id` | empty without high availability |
            | `nameNodes[].state`, `.safeMode` | active, standby, observer or initializing; true or false |
            | `dataNodes.live`, `.stale`, `.dead`, `.outOfService` | numbers, as the NameNodes see them |
            | `dataNodes.asked`, `.answered` | numbers |
            | `dataNodes.problem` | why DataNodes could not be asked; empty: nothing |
            | `dataNodes.silent[]` | `address` and `failure` of each that does not answer |
            | `features[].part` | name of the feature, or of a further part of it |
            | `features[].nameNodes[]` | `place`, `state`, `reason`, and `figures` by name |
            | `features[].dataNodes` | number of DataNodes by state |
            | `features[].troubles[]` | `place`, `state` and `reason` of DataNodes with a reason |

            ## Upgrading one host after the other

            Daemons of different versions answer each other. Upgrade standby NameNodes first, then the active one, then
            DataNodes, then clients. `PARITY-111` names those that are left.

            ## Findings

            ERROR: something does not work, or files are less safe than they should be. WARNING: it works now, and may not
            later. INFO: nothing has to be done. A feature brings its own findings with its jar.
            """);
    char area = '0';
    for (FindingKind kind : kinds) {
      char next = kind.code().charAt("PARITY-".length());
      if (next != area) {
        area = next;
        b.append("\n### ").append(AREAS.get(area)).append('\n');
      }
      b.append("\n#### ").append(kind.code()).append(" (").append(kind.severity()).append(")\n\n");
      WrappedText.append(kind.meaning(), b);
      b.append('\n');
      WrappedText.append("To do: " + kind.remedy(), b);
    }
    return b.toString();
  }
}
