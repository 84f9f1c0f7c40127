/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What the quickstart can show. The first word of its command line, if it names one. */
enum Chapter {
  /** Two replicas and parity: two disks die. */
  RAIDP(RaidpTour.STEPS, RaidpTour::new),
  /** Codec izs: nodes die, and levels go up and down. */
  IZS(IzsTour.STEPS, IzsTour::new),
  /** Erasure-coded files that are changed in place. */
  EC_UPDATE(UpdateTour.STEPS, UpdateTour::new),
  /** A file whose cells are organized by how it is used. */
  CASO(CasoTour.STEPS, CasoTour::new),
  /** All but RAIDP's, on one cluster with all features. */
  ALL(AllTour.STEPS, AllTour::new);

  private final int steps;
  private final Maker maker;

  Chapter(int steps, Maker maker) {
    this.steps = steps;
    this.maker = maker;
  }

  private interface Maker {
    Tour make(QuickstartOptions options, Path home, Screen screen);
  }

  /** The chapter of that name; a folder of the same name is written as ./izs. */
  static Optional<Chapter> named(String word) {
    return Arrays.stream(values()).filter(each -> each.label().equals(word)).findFirst();
  }

  /** Its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** How many steps it has. */
  int steps() {
    return steps;
  }

  Tour tour(QuickstartOptions options, Path home, Screen screen) {
    return maker.make(options, home, screen);
  }
}
