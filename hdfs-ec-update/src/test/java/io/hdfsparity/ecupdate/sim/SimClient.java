/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A client with a list of things to do, which may crash after any message that it sends. */
final class SimClient {
  private record Write(SortedMap<Integer, Patch> patches) {}

  private record Read(int block, long began) {}

  private final Simulation simulation;
  private final long id;
  private final AjxClient machine;
  private final Map<Long, Write> writes = new HashMap<>();
  private final Map<Long, Read> reads = new HashMap<>();
  private int operationsLeft;
  private int sendsLeft;
  private boolean isAlive = true;
  private long nextOperation;
  private long waitingFor = -1;

  SimClient(Simulation simulation, long id, boolean mustCrash) {
    this.simulation = simulation;
    this.id = id;
    machine = new AjxClient(id, simulation.code(), simulation.options());
    operationsLeft = simulation.scenario.operations();
    sendsLeft =
        mustCrash
            ? 1 + simulation.random.nextInt(6 * simulation.scenario.operations() + 20)
            : Integer.MAX_VALUE;
  }

  long id() {
    return id;
  }

  boolean isAlive() {
    return isAlive;
  }

  boolean isDone() {
    return operationsLeft == 0 && writes.isEmpty() && reads.isEmpty();
  }

  /** The next thing to do; sometimes two at once. */
  void begin() {
    if (!isAlive || operationsLeft == 0) {
      return;
    }
    operationsLeft--;
    long operation = nextOperation++;
    waitingFor = operation;
    int block =
        simulation.scenario.hotBlock()
            ? 0
            : simulation.random.nextInt(simulation.scenario.shape().dataBlocks());
    if (simulation.random.nextInt(10) < 7) {
      SortedMap<Integer, Patch> patches = new TreeMap<>();
      patches.put(block, simulation.registers().nextPatch(block, simulation.random));
      if (simulation.random.nextInt(3) == 0) {
        int second = (block + 1) % simulation.scenario.shape().dataBlocks();
        patches.put(second, simulation.registers().nextPatch(second, simulation.random));
      }
      patches.forEach(simulation.registers()::writeBegan);
      writes.put(operation, new Write(patches));
      carryOut(machine.write(operation, patches));
    } else {
      reads.put(operation, new Read(block, simulation.time.now()));
      carryOut(machine.read(operation, block, 0, Simulation.BLOCK_BYTES));
    }
    int extra = simulation.random.nextInt(8);
    if (extra == 0) {
      begin();
    } else if (extra == 1) {
      collect();
    }
  }

  void probe() {
    if (isAlive) {
      carryOut(machine.probe());
    }
  }

  private void collect() {
    if (isAlive) {
      carryOut(machine.collectGarbage());
    }
  }

  void onReply(long call, Reply reply) {
    if (isAlive) {
      carryOut(machine.onReply(call, reply));
    }
    if (isAlive && simulation.givesWay()) {
      carryOut(machine.yieldNow());
    }
  }

  void onLost(long call) {
    if (isAlive) {
      carryOut(machine.onLost(call));
    }
  }

  private void onTimer(long timer) {
    if (isAlive) {
      carryOut(machine.onTimer(timer));
    }
  }

  private void carryOut(List<Output> outputs) {
    for (Output output : outputs) {
      if (!isAlive) {
        return;
      }
      if (output instanceof Output.Send send) {
        simulation.counters.requests++;
        send(send);
      } else if (output instanceof Output.Broadcast broadcast) {
        simulation.counters.broadcasts++;
        broadcast.sends().forEach(this::send);
      } else if (output instanceof Output.StartTimer timer) {
        int longest = 40 * Math.min(timer.attempt(), 10);
        simulation.time.after(1 + simulation.random.nextInt(longest), () -> onTimer(timer.timer()));
      } else if (output instanceof Output.ReadDone done) {
        Read read = reads.remove(done.operation());
        simulation.registers().read(read.block, done.bytes(), read.began, simulation.time.now());
        ended(done.operation());
      } else if (output instanceof Output.WriteDone done) {
        Write write = writes.remove(done.operation());
        write.patches.forEach(simulation.registers()::writeEnded);
        ended(done.operation());
      } else if (output instanceof Output.Probed probed) {
        simulation.probed(probed.isHealthy());
      } else if (output instanceof Output.RecoveryEnded ended) {
        simulation.recoveryEnded(ended);
      }
    }
  }

  private void send(Output.Send send) {
    if (!isAlive) {
      return;
    }
    simulation.send(this, send);
    if (--sendsLeft == 0) {
      isAlive = false;
      simulation.crashed(this);
    }
  }

  private void ended(long operation) {
    if (operation == waitingFor) {
      simulation.time.after(simulation.random.nextInt(50), this::begin);
    }
    if (simulation.random.nextInt(3) == 0) {
      collect();
    }
  }

  @Override
  public String toString() {
    return "client " + id + (isAlive ? "" : " crashed") + " " + writes + " " + reads;
  }
}
