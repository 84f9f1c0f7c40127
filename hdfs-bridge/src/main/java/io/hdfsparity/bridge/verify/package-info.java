/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What the verification of parity knows of block groups in the NameNode. Records only. */
package io.hdfsparity.bridge.verify;
