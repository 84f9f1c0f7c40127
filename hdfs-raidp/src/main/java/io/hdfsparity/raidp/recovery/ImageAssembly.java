/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ParityKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Assembles ranges of a lost image from the Lstors of dead disks, and remembers what went wrong.
 * What it assembles is not verified yet. Confined to a thread.
 */
final class ImageAssembly {
  private final List<DecodeSource> sources;
  private final ChunkAssembler assembler;
  private final Set<String> problems = new LinkedHashSet<>();
  private Set<String> lastDisks = Set.of();

  /**
   * @param sources all dead disks, whose Lstors are asked together where one alone does not do
   */
  ImageAssembly(List<DecodeSource> sources, ChunkAssembler assembler) {
    this.sources = List.copyOf(sources);
    this.assembler = assembler;
  }

  /** A row, and the Lstors that are asked for it. */
  record Choice(BlockDecoder.Candidate candidate, List<DecodeSource> equations) {}

  /** Each candidate by its own Lstor alone, then each by all Lstors together. */
  List<Choice> choices(List<BlockDecoder.Candidate> candidates) {
    List<Choice> choices = new ArrayList<>(candidates.stream().map(this::alone).toList());
    choices.addAll(candidates.stream().map(this::together).toList());
    return choices;
  }

  Choice alone(BlockDecoder.Candidate candidate) {
    return new Choice(candidate, List.of(candidate.source()));
  }

  /** From all Lstors together; the candidate's own is used first. */
  Choice together(BlockDecoder.Candidate candidate) {
    List<DecodeSource> order = new ArrayList<>(List.of(candidate.source()));
    sources.stream().filter(source -> source != candidate.source()).forEach(order::add);
    return new Choice(candidate, order);
  }

  /**
   * Assembles a range. What turns out to be missing is solved for, as far as there are equations.
   *
   * @throws ReceiverFailedException after an error in this process
   */
  boolean assemble(Choice choice, ParityKind kind, long position, ByteBuffer accumulator)
      throws InterruptedException, ReceiverFailedException {
    List<DecodeSource> equations = new ArrayList<>(choice.equations());
    while (equations.contains(choice.candidate().source())) {
      List<SourceFailure> failures;
      ChunkPlan plan;
      try {
        plan =
            plan(
                new Choice(choice.candidate(), equations), kind, position, accumulator.remaining());
        failures = assembler.start(plan, accumulator).await();
      } catch (UndecodableException e) {
        problem(String.valueOf(e.getMessage()));
        return false;
      }
      if (failures.isEmpty()) {
        lastDisks =
            plan.parts().stream()
                .map(part -> part.source().diskId())
                .collect(Collectors.toUnmodifiableSet());
        return true;
      }
      note(failures);
      failures.stream()
          .filter(failure -> failure.contributor() == null)
          .forEach(failure -> equations.remove(failure.disk()));
    }
    return false;
  }

  /** Disks whose parity, or whose slot tables, have made the range that was assembled last. */
  Set<String> lastDisks() {
    return lastDisks;
  }

  /** Starts to assemble a range. */
  ChunkAssembler.Pending start(
      Choice choice, ParityKind kind, long position, ByteBuffer accumulator)
      throws UndecodableException {
    return assembler.start(plan(choice, kind, position, accumulator.remaining()), accumulator);
  }

  private static ChunkPlan plan(Choice choice, ParityKind kind, long position, int lengthBytes)
      throws UndecodableException {
    return new ParityEquations(choice.equations(), kind)
        .plan(choice.candidate(), position, lengthBytes);
  }

  /** An image that nobody serves is not asked for again. */
  void note(List<SourceFailure> failures) {
    for (SourceFailure failure : failures) {
      problem(failure.toString());
      if (failure.contributor() != null) {
        failure.disk().setUnavailable(failure.contributor(), failure.message());
      }
    }
  }

  void problem(String what) {
    problems.add(what);
  }

  /** All that went wrong, in order. */
  String problems() {
    return String.join("; ", problems);
  }
}
