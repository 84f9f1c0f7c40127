/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.bridge.namenode.UnitOrder;
import io.hdfsparity.caso.fs.WorkFiles;
import io.hdfsparity.caso.placement.ForecastFormat;
import io.hdfsparity.caso.placement.ParityLoad;
import io.hdfsparity.core.framing.FormatException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;

/**
 * Evens predicted parity updates over the nodes that files in stored order are written to. What it
 * knows of loads is in memory: a NameNode that starts or becomes active begins with none. Found by
 * ServiceLoader. Thread-safe.
 */
public final class ForecastUnitOrder implements UnitOrder {
  /** Some 200 bytes each. */
  private static final int MAX_GROUPS = 100_000;

  private final ParityLoad load = new ParityLoad(MAX_GROUPS);
  private final LongAdder ordered = new LongAdder();
  private final LongAdder refused = new LongAdder();

  /** As ServiceLoader makes it. */
  public ForecastUnitOrder() {
    PlacementMetrics.register(load, ordered, refused);
  }

  @Override
  public boolean concerns(String path) {
    return WorkFiles.isCopy(path);
  }

  @Override
  public String attribute() {
    return WorkFiles.FORECAST;
  }

  @Override
  public void keep(LongPredicate isThere) {
    load.keep(isThere);
  }

  @Override
  public int[] order(NewGroup group, List<String> nodeUuids) throws FormatException {
    long rate;
    try {
      rate = ForecastFormat.milliUpdatesPerDay(group.hint(), group.fileId(), group.index());
    } catch (FormatException e) {
      refused.increment();
      throw e;
    }
    ordered.increment();
    return load.place(group.fileId(), group.index(), rate, group.dataUnits(), nodeUuids);
  }
}
