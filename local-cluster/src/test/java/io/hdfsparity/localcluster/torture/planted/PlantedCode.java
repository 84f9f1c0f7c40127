/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import io.hdfsparity.ecupdate.storage.log.BlockChange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/** Code that is planted into methods of the suite, at their beginning or their end. */
final class PlantedCode {
  private PlantedCode() {}

  /** One parity delta in ten changes nothing. */
  static final class LosesDelta {
    private LosesDelta() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) BlockChange change) {
      if (change instanceof BlockChange.Delta && Strikes.now(10)) {
        change =
            new BlockChange.Delta(
                change.version(), change.offset(), new byte[change.bytes().length]);
      }
    }
  }

  /** All is durable at once. */
  static final class CallsDurable {
    private CallsDurable() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) CompletableFuture<Void> reached) {
      if (!reached.isDone()) {
        Strikes.now(1);
      }
      reached = CompletableFuture.completedFuture(null);
    }
  }

  /** Takes a second longer. */
  static final class TakesASecond {
    private TakesASecond() {}

    @Advice.OnMethodEnter
    static void enter() throws InterruptedException {
      TimeUnit.SECONDS.sleep(1);
    }
  }

  /** The answer is yes. */
  static final class SaysYes {
    private SaysYes() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) boolean answer) {
      if (!answer) {
        Strikes.now(1);
      }
      answer = true;
    }
  }

  /** The answer is no. */
  static final class SaysNo {
    private SaysNo() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) boolean answer) {
      if (answer) {
        Strikes.now(1);
      }
      answer = false;
    }
  }

  /** There is no reason against it. */
  static final class FindsNothing {
    private FindsNothing() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) Optional<?> found) {
      if (found.isPresent()) {
        Strikes.now(1);
      }
      found = Optional.empty();
    }
  }

  /** One call in twenty does nothing. */
  static final class SkipsSome {
    private SkipsSome() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return Strikes.now(20);
    }
  }

  /** The coefficient 2 becomes 1. */
  static final class ForgetsCoefficient {
    private ForgetsCoefficient() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Argument(value = 2, readOnly = false) int coefficient) {
      if (coefficient == 2) {
        Strikes.now(1);
        coefficient = 1;
      }
    }
  }

  /** There is nothing. */
  static final class SaysNothing {
    private SaysNothing() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) List<?> answer) {
      if (!answer.isEmpty()) {
        Strikes.now(1);
      }
      answer = List.of();
    }
  }

  /** Changes nothing: notes deltas that a fence refuses. */
  static final class NotesFenced {
    private NotesFenced() {}

    @Advice.OnMethodEnter
    static void enter(
        @Advice.This(typing = Assigner.Typing.DYNAMIC) Object machine,
        @Advice.Argument(2) long epoch) {
      Reached.fence(machine, epoch);
    }
  }

  /** Answers a swap that comes again with the bytes that are there now. */
  static final class ForgetsPrevious {
    private ForgetsPrevious() {}

    @Advice.OnMethodEnter
    static boolean enter(
        @Advice.This(typing = Assigner.Typing.DYNAMIC) Object machine,
        @Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) Object swap) {
      return Reached.swapAgain(machine, swap);
    }

    @Advice.OnMethodExit
    static void exit(
        @Advice.Enter boolean isAgain,
        @Advice.This(typing = Assigner.Typing.DYNAMIC) Object machine,
        @Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) Object swap,
        @Advice.Return(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object outcome) {
      if (isAgain) {
        outcome = Reached.answerByContent(machine, swap, outcome);
      }
    }
  }

  /** Changes nothing: notes logs with deltas that the reserved space has. */
  static final class NotesPlayBack {
    private NotesPlayBack() {}

    @Advice.OnMethodEnter
    static void enter(
        @Advice.Argument(value = 0, typing = Assigner.Typing.DYNAMIC) Object replica,
        @Advice.Argument(value = 2, typing = Assigner.Typing.DYNAMIC) Object recovered)
        throws ReflectiveOperationException {
      Reached.playBack(replica, recovered);
    }
  }

  /** Flips a bit now and then, once the CRC is computed: nobody compares it with these bytes. */
  static final class FlipsBit {
    private FlipsBit() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(0) byte[] bytes, @Advice.Argument(1) int count) {
      if (count > 2048 && Strikes.now(300)) {
        bytes[count - 1024] ^= 1;
      }
    }
  }

  /** One byte of the first of the outputs is wrong in one call of five. */
  static final class SpoilsParity {
    private SpoilsParity() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(1) ByteBuffer[] outputs) {
      if (Strikes.now(5)) {
        int at = outputs[0].position();
        outputs[0].put(at, (byte) (outputs[0].get(at) ^ 1));
      }
    }
  }

  /** One byte of the first of the outputs is wrong. */
  static final class SpoilsUnit {
    private SpoilsUnit() {}

    @Advice.OnMethodExit
    static void exit(@Advice.Argument(2) ByteBuffer[] outputs) {
      if (outputs.length > 0 && Strikes.now(1)) {
        outputs[0].put(0, (byte) (outputs[0].get(0) ^ 1));
      }
    }
  }
}
