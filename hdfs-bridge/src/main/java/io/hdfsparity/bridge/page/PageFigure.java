/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

/**
 * A figure that everybody may see: no path, no owner.
 *
 * @param label one to three words
 * @param value a number, or a word
 */
public record PageFigure(String label, String value, Tone tone) {
  /** Neither good nor bad. */
  public static PageFigure of(String label, long value) {
    return new PageFigure(label, String.valueOf(value), Tone.PLAIN);
  }

  /** A count of which any is too many. */
  public static PageFigure unwanted(String label, long count, Tone ifAny) {
    return new PageFigure(label, String.valueOf(count), count == 0 ? Tone.PLAIN : ifAny);
  }
}
