/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Refuses files whose cells are stored in another order than the file's own. What tells the order
 * is of the inode, and a copy has another one: with the attribute of its source nobody could read
 * it. Stateless but for the supplier; as thread-safe as that.
 */
public final class OwnOrderCondition implements SwapCondition {
  private final Supplier<@Nullable OrderMark> marks;

  /**
   * @param marks what tells such files in this NameNode; null: nothing does, and there are none
   */
  public OwnOrderCondition(Supplier<@Nullable OrderMark> marks) {
    this.marks = marks;
  }

  @Override
  public Optional<Refusal> refuses(StoredFile source) {
    OrderMark mark = marks.get();
    return mark != null
            && source.attributes().xattrs().containsKey(FileAttributes.keyOf(mark.attribute()))
        ? Optional.of(
            SwapRefusal.STORED_ORDER.because(
                "order", "stored", "the file's own order", source.path()))
        : Optional.empty();
  }

  /** Nothing beside: a copy with such an attribute differs from its source, which has none. */
  @Override
  public Optional<Refusal> refuses(StoredFile source, StoredFile copy) {
    return Optional.empty();
  }
}
