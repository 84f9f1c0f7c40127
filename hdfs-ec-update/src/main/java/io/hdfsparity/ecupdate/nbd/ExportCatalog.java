/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.Checks;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The exports of a server, by name. Immutable. */
public final class ExportCatalog {
  private final Map<String, ServedExport> byName = new LinkedHashMap<>();

  /**
   * @param exports with names that differ
   */
  public ExportCatalog(Collection<ServedExport> exports) {
    for (ServedExport export : exports) {
      Checks.argument(
          byName.putIfAbsent(export.name(), export) == null,
          "serve block devices",
          "name",
          export.name(),
          "each name once");
    }
  }

  /** In the order in which they were given. */
  List<ServedExport> all() {
    return List.copyOf(byName.values());
  }

  /**
   * The export that a client means. The empty name is the default, which there is when there is one
   * export. The slash before a path may be missing: URIs have their own before it.
   */
  Optional<ServedExport> find(String name) {
    if (name.isEmpty()) {
      return byName.size() == 1 ? byName.values().stream().findFirst() : Optional.empty();
    }
    return Optional.ofNullable(byName.get(name))
        .or(() -> Optional.ofNullable(byName.get("/" + name)));
  }
}
