/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Questions to the units of a block group that there are. A unit without bytes is answered for, see
 * {@link AbsentUnit}. Immutable, thread-safe.
 */
final class UnitCalls {
  private final FileLayout layout;
  private final int group;
  private final Map<Integer, UnitLocation> places;
  private final NodeCalls calls;
  private final BooleanSupplier isOfUse;

  /**
   * Asks nothing yet.
   *
   * @param places by unit; the others are lost
   * @param isOfUse whether a question is asked, or asked again when it was lost; on any thread
   */
  UnitCalls(
      FileLayout layout,
      int group,
      Map<Integer, UnitLocation> places,
      NodeCalls calls,
      BooleanSupplier isOfUse) {
    this.isOfUse = isOfUse;
    this.layout = layout;
    this.group = group;
    this.places = Map.copyOf(places);
    this.calls = calls;
  }

  FileLayout layout() {
    return layout;
  }

  int group() {
    return group;
  }

  /** Of the group, those that are lost among them. */
  int units() {
    return layout.code().shape().blocks();
  }

  boolean isLost(int unit) {
    return layout.hasUnit(group, unit) && !places.containsKey(unit);
  }

  Map<Integer, UnitLocation> places() {
    return places;
  }

  /** Asks; null if the unit is lost. */
  @Nullable UnitCall ask(int stripe, int unit, Request request) {
    return ask(stripe, unit, request, late -> {});
  }

  /**
   * Asks; null if the unit is lost.
   *
   * @param whenLate learns of what becomes of the request after nobody waits any more: its answer,
   *     or nothing if it may have been executed and will not be from now on
   */
  @Nullable UnitCall ask(
      int stripe, int unit, Request request, Consumer<Optional<Reply>> whenLate) {
    String name = new StripeKey(group, stripe).toString();
    if (!layout.hasUnit(group, unit)) {
      return UnitCall.answered(name, unit, new AbsentUnit(layout.cellBytes()).answer(request));
    }
    UnitLocation place = places.get(unit);
    if (place == null) {
      return null;
    }
    UnitCall call = new UnitCall(name, unit, String.valueOf(place.node()), whenLate, isOfUse);
    call.sendBy(
        () -> calls.call(place.node(), new SlotKey(place.replica(), stripe), request, call));
    return call;
  }
}
