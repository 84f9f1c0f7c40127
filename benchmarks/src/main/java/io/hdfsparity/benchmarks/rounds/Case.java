/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

/**
 * What is measured once a round.
 *
 * @param setting what contenders have in common: only those of one setting are compared
 * @param contender one of those that are compared
 */
public record Case(String setting, String contender) {}
