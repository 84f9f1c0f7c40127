/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.LstorReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Names the Lstors of dead disks that would help to decode, and cannot be read. Pure. */
final class UnreadableLstors {
  /** Of a failed rack there are hundreds. */
  static final int MAX_NAMED = 8;

  private UnreadableLstors() {}

  /**
   * For people, each with where it is missed and why; with many of them the last one says how many
   * more there are.
   *
   * @param lacking superchunks that lack a side
   */
  static List<String> of(ClusterView view, Collection<SuperchunkView> lacking) {
    return of(view, lacking, diskId -> Optional.empty());
  }

  /**
   * The same.
   *
   * @param whySilent by disk, why an Lstor cannot be read that is reported; empty: it can
   */
  static List<String> of(
      ClusterView view,
      Collection<SuperchunkView> lacking,
      Function<String, Optional<String>> whySilent) {
    Map<String, FrameView> disks = new TreeMap<>();
    for (SuperchunkView superchunk : lacking) {
      for (FrameView gone : superchunk.gone()) {
        if (view.readableLstor(gone.diskId()).isEmpty()
            || whySilent.apply(gone.diskId()).isPresent()) {
          disks.put(gone.diskId(), gone);
        }
      }
    }
    List<String> names = new ArrayList<>();
    disks.values().stream()
        .limit(MAX_NAMED)
        .forEach(gone -> names.add(name(view, gone, whySilent)));
    if (disks.size() > MAX_NAMED) {
      names.add("and " + (disks.size() - MAX_NAMED) + " more");
    }
    return names;
  }

  private static String name(
      ClusterView view, FrameView gone, Function<String, Optional<String>> whySilent) {
    return "Lstor of disk "
        + gone.diskId()
        + " of DataNode "
        + node(view, gone.nodeUuid())
        + " ("
        + whySilent.apply(gone.diskId()).orElseGet(() -> why(view.lstors().get(gone.diskId())))
        + ")";
  }

  private static String node(ClusterView view, String nodeUuid) {
    NodeState node = view.nodes().get(nodeUuid);
    return node == null ? nodeUuid : node.report().node().hostName() + " " + nodeUuid;
  }

  private static String why(@Nullable LstorState lstor) {
    if (lstor == null) {
      return "no Lstor daemon has reported it";
    }
    LstorReport report = lstor.report();
    String daemon = "the Lstor daemon at " + report.host() + ":" + report.port();
    if (!lstor.reachable()) {
      return daemon + " does not report any more";
    }
    return report
        .failure()
        .map(failure -> daemon + " cannot read it: " + failure)
        .orElse(daemon + " finds it in use by its DataNode");
  }
}
