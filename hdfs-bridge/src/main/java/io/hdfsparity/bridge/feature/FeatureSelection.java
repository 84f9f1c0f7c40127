/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.SuiteKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Which features a daemon starts: those that {@code dfs.parity.features} lists; without it, those
 * of the class path whose settings are there. Of the further parts of a listed feature, those whose
 * settings are there. A listed class takes the place of the feature that it extends. Immutable.
 *
 * @param chosen to be started
 * @param lacking what each of the others needs, or that it is not listed, by the feature
 */
record FeatureSelection<F extends Feature<?>>(List<F> chosen, Map<F, String> lacking) {
  FeatureSelection {
    chosen = List.copyOf(chosen);
  }

  /**
   * Of a daemon's configuration.
   *
   * @param found on the class path, for this daemon
   * @param names of all features, also of those that have nothing in this daemon
   * @throws IllegalArgumentException for an unknown name, and for a class that is no feature
   */
  static <F extends Feature<?>> FeatureSelection<F> of(
      Configuration conf, Class<F> type, List<F> found, Set<String> names) {
    String[] listed = conf.getTrimmedStrings(SuiteKey.FEATURES.key());
    return listed.length == 0
        ? configured(conf, found)
        : listed(conf, type, found, new TreeSet<>(names), List.of(listed));
  }

  /** Those that can be started. */
  static <F extends Feature<?>> FeatureSelection<F> configured(Configuration conf, List<F> found) {
    List<F> chosen = new ArrayList<>();
    Map<F, String> lacking = new LinkedHashMap<>();
    for (F each : found) {
      Optional<String> lacks = each.lacks(conf);
      lacks.ifPresentOrElse(setting -> lacking.put(each, setting), () -> chosen.add(each));
    }
    return new FeatureSelection<>(chosen, lacking);
  }

  /** Those that can be started, and those that are listed, of a list that cannot be used. */
  static <F extends Feature<?>> List<F> meant(Configuration conf, List<F> found) {
    Set<String> listed = Set.copyOf(conf.getTrimmedStringCollection(SuiteKey.FEATURES.key()));
    return found.stream()
        .filter(each -> isMain(each) && listed.contains(each.name()) || each.lacks(conf).isEmpty())
        .toList();
  }

  private static <F extends Feature<?>> FeatureSelection<F> listed(
      Configuration conf, Class<F> type, List<F> found, Set<String> names, List<String> listed) {
    List<F> candidates = new ArrayList<>(found);
    Set<F> chosen = new LinkedHashSet<>();
    for (String word : listed) {
      if (!word.contains(".")) {
        if (!names.contains(word)) {
          throw refused(conf, word, names, /* cause= */ null);
        }
        found.stream()
            .filter(each -> each.name().equals(word))
            .filter(each -> isMain(each) || each.lacks(conf).isEmpty())
            .forEach(chosen::add);
      }
    }
    for (String word : listed) {
      if (word.contains(".")) {
        Class<?> named = featureClass(conf, word, names);
        if (type.isAssignableFrom(named)) {
          F made = type.cast(ReflectionUtils.newInstance(named, conf));
          candidates.removeIf(each -> each.getClass().isInstance(made));
          chosen.removeIf(each -> each.getClass().isInstance(made));
          chosen.add(made);
        }
      }
    }
    Map<F, String> lacking = new LinkedHashMap<>();
    for (F each : candidates) {
      if (!chosen.contains(each)) {
        Optional<String> lacks = listed.contains(each.name()) ? each.lacks(conf) : Optional.empty();
        String list = SuiteKey.FEATURES.key() + "=" + String.join(",", listed);
        lacking.put(each, lacks.orElse(list));
      }
    }
    return new FeatureSelection<>(List.copyOf(chosen), lacking);
  }

  /** Other parts of a listed feature are started where their settings are there. */
  private static boolean isMain(Feature<?> feature) {
    return feature.part().equals(feature.name());
  }

  private static Class<?> featureClass(Configuration conf, String word, Set<String> names) {
    Class<?> named;
    try {
      named = conf.getClassByName(word);
    } catch (ClassNotFoundException e) {
      throw refused(conf, word, names, e);
    }
    if (!Feature.class.isAssignableFrom(named)) {
      throw refused(conf, word, names, /* cause= */ null);
    }
    return named;
  }

  private static IllegalArgumentException refused(
      Configuration conf, String word, Set<String> names, @Nullable Exception cause) {
    return KeyReader.refused(
        SuiteKey.FEATURES.key(),
        conf.getTrimmed(SuiteKey.FEATURES.key(), ""),
        "each of "
            + String.join(", ", names)
            + " (the features on the class path), or the name of a feature's class, not "
            + word,
        cause);
  }
}
