/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import java.util.List;

/**
 * How results are shown.
 *
 * @param benchmark its name, of its files, too
 * @param paper which figure or table it is
 * @param title of table and plot
 * @param baseline the contender that ratios are taken to, within a round
 * @param columns figures shown in the table, each with a ratio
 * @param plotted the figure that is drawn
 */
public record Layout(
    String benchmark,
    String paper,
    String title,
    String baseline,
    List<String> columns,
    String plotted) {
  public Layout {
    columns = List.copyOf(columns);
  }
}
