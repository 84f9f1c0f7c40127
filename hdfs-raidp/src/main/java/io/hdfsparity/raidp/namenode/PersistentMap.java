/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map whose changed copies share all but a path of small arrays with it: a hash trie
 * of up to 32 slots a level. A value knows its key, so an entry takes about 14 bytes beside it.
 */
final class PersistentMap<K, V> extends AbstractMap<K, V> {
  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;

  private final Function<? super V, ? extends K> keyOf;
  private final Branch root;

  /** Slots that are in use. Each has a value, a deeper branch, or values of equal hash. */
  private static final class Branch {
    static final Branch EMPTY = new Branch(0, 0, new Object[0]);

    /** Bit i: slot i is in use. */
    private final int bitmap;

    /** Values below. */
    private final int count;

    private final Object[] slots;

    Branch(int bitmap, int count, Object[] slots) {
      this.bitmap = bitmap;
      this.count = count;
      this.slots = slots;
    }

    static int count(Object slot) {
      if (slot instanceof Branch branch) {
        return branch.count;
      }
      return slot instanceof Collision collision ? collision.values.length : 1;
    }

    int position(int bit) {
      return Integer.bitCount(bitmap & (bit - 1));
    }

    Branch with(int bit, Object slot) {
      int position = position(bit);
      if ((bitmap & bit) != 0) {
        Object[] copy = slots.clone();
        copy[position] = slot;
        return new Branch(bitmap, count - count(slots[position]) + count(slot), copy);
      }
      Object[] copy = new Object[slots.length + 1];
      System.arraycopy(slots, 0, copy, 0, position);
      copy[position] = slot;
      System.arraycopy(slots, position, copy, position + 1, slots.length - position);
      return new Branch(bitmap | bit, count + count(slot), copy);
    }

    Branch without(int bit) {
      int position = position(bit);
      Object[] copy = new Object[slots.length - 1];
      System.arraycopy(slots, 0, copy, 0, position);
      System.arraycopy(slots, position + 1, copy, position, copy.length - position);
      return new Branch(bitmap & ~bit, count - count(slots[position]), copy);
    }
  }

  /** Values whose keys have one hash. */
  private static final class Collision {
    private final Object[] values;

    Collision(Object[] values) {
      this.values = values;
    }
  }

  private PersistentMap(Function<? super V, ? extends K> keyOf, Branch root) {
    this.keyOf = keyOf;
    this.root = root;
  }

  static <K, V> PersistentMap<K, V> empty(Function<? super V, ? extends K> keyOf) {
    return new PersistentMap<>(keyOf, Branch.EMPTY);
  }

  private static int hash(Object key) {
    int h = key.hashCode() * 0x9E3779B9;
    return h ^ (h >>> 16);
  }

  private static int bit(int hash, int shift) {
    return 1 << ((hash >>> shift) & MASK);
  }

  /** Whether this is the very map that the other one is. */
  boolean isSame(PersistentMap<?, ?> other) {
    return root == other.root;
  }

  @SuppressWarnings("unchecked")
  private K key(Object value) {
    return keyOf.apply((V) value);
  }

  @Override
  public int size() {
    return root.count;
  }

  /**
   * A value by its place, in an order that is no other than that of this copy.
   *
   * @param index from 0 to {@link #size} - 1
   */
  @SuppressWarnings("unchecked")
  V at(int index) {
    int left = Objects.checkIndex(index, size());
    Object[] slots = root.slots;
    for (int i = 0; ; i++) {
      int count = Branch.count(slots[i]);
      if (left >= count) {
        left -= count;
      } else if (slots[i] instanceof Branch branch) {
        slots = branch.slots;
        i = -1;
      } else if (slots[i] instanceof Collision collision) {
        return (V) collision.values[left];
      } else {
        return (V) slots[i];
      }
    }
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V get(Object key) {
    int hash = hash(key);
    Branch branch = root;
    for (int shift = 0; ; shift += BITS) {
      int bit = bit(hash, shift);
      if ((branch.bitmap & bit) == 0) {
        return null;
      }
      Object slot = branch.slots[branch.position(bit)];
      if (slot instanceof Branch deeper) {
        branch = deeper;
        continue;
      }
      if (slot instanceof Collision collision) {
        for (Object value : collision.values) {
          if (key(value).equals(key)) {
            return (V) value;
          }
        }
        return null;
      }
      return key(slot).equals(key) ? (V) slot : null;
    }
  }

  /** A copy with a value, in place of any that has its key. */
  PersistentMap<K, V> with(V value) {
    K key = keyOf.apply(value);
    return get(key) == value
        ? this
        : new PersistentMap<>(keyOf, with(root, 0, hash(key), key, value));
  }

  private Branch with(Branch branch, int shift, int hash, K key, Object value) {
    int bit = bit(hash, shift);
    if ((branch.bitmap & bit) == 0) {
      return branch.with(bit, value);
    }
    Object slot = branch.slots[branch.position(bit)];
    if (slot instanceof Branch deeper) {
      return branch.with(bit, with(deeper, shift + BITS, hash, key, value));
    }
    Object first = slot instanceof Collision collision ? collision.values[0] : slot;
    int other = hash(key(first));
    if (other == hash) {
      return branch.with(bit, beside(slot, key, value));
    }
    // The slot goes a level down, and again, until the two part.
    Branch lower = Branch.EMPTY.with(bit(other, shift + BITS), slot);
    return branch.with(bit, with(lower, shift + BITS, hash, key, value));
  }

  private Object beside(Object slot, K key, Object value) {
    Object[] values = slot instanceof Collision collision ? collision.values : new Object[] {slot};
    for (int i = 0; i < values.length; i++) {
      if (key(values[i]).equals(key)) {
        Object[] copy = values.clone();
        copy[i] = value;
        return copy.length == 1 ? value : new Collision(copy);
      }
    }
    Object[] more = new Object[values.length + 1];
    System.arraycopy(values, 0, more, 0, values.length);
    more[values.length] = value;
    return new Collision(more);
  }

  /** A copy without a key. */
  PersistentMap<K, V> without(K key) {
    return get(key) == null ? this : new PersistentMap<>(keyOf, without(root, 0, hash(key), key));
  }

  private Branch without(Branch branch, int shift, int hash, K key) {
    int bit = bit(hash, shift);
    Object slot = branch.slots[branch.position(bit)];
    if (slot instanceof Branch deeper) {
      Branch lower = without(deeper, shift + BITS, hash, key);
      return lower.slots.length == 0 ? branch.without(bit) : branch.with(bit, lower);
    }
    if (slot instanceof Collision collision) {
      Object[] left = new Object[collision.values.length - 1];
      int next = 0;
      for (Object value : collision.values) {
        if (!key(value).equals(key)) {
          left[next++] = value;
        }
      }
      return branch.with(bit, left.length == 1 ? left[0] : new Collision(left));
    }
    return branch.without(bit);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Walk();
      }

      @Override
      public int size() {
        return root.count;
      }
    };
  }

  /** All entries, in no order. */
  private final class Walk implements Iterator<Map.Entry<K, V>> {
    private final Deque<Object[]> arrays = new ArrayDeque<>();
    private final Deque<Integer> positions = new ArrayDeque<>();

    Walk() {
      push(root.slots);
    }

    private void push(Object[] slots) {
      arrays.push(slots);
      positions.push(0);
    }

    @Override
    public boolean hasNext() {
      while (!arrays.isEmpty()) {
        int position = positions.pop();
        if (position < arrays.element().length) {
          positions.push(position);
          return true;
        }
        arrays.pop();
      }
      return false;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map.Entry<K, V> next() {
      while (hasNext()) {
        int position = positions.pop();
        positions.push(position + 1);
        Object slot = arrays.element()[position];
        if (slot instanceof Branch branch) {
          push(branch.slots);
        } else if (slot instanceof Collision collision) {
          push(collision.values);
        } else {
          return Map.entry(key(slot), (V) slot);
        }
      }
      throw new NoSuchElementException();
    }
  }
}
