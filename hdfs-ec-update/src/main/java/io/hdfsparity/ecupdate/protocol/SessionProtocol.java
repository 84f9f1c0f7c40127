/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What a client asks the session manager of the active NameNode. Thread-safe. */
public interface SessionProtocol {
  /**
   * Opens a file for updates, if the caller may write it. Its modification time moves up, so that
   * whoever copies it finds it changed.
   *
   * @return granted or refused
   * @throws IOException AccessControlException, FileNotFoundException, and what keeps a NameNode
   *     from serving: a standby answers StandbyException, one in safe mode SafeModeException
   */
  SessionAnswer open(OpenRequest request) throws IOException;

  /**
   * Renews a session of the caller, if he still may write the file.
   *
   * @return renewed, or refused and over
   * @throws IOException as for {@link #open}
   */
  SessionAnswer renew(SessionId id) throws IOException;

  /**
   * Takes over a session of the caller that this NameNode does not know, from one that was active
   * before: it continues under the same id. Possible only for a while after this NameNode has
   * become active, while all files are held. May be repeated.
   *
   * @return granted; refused as {@link RefusalKind#UNKNOWN_SESSION}, for good; or refused, and it
   *     may be asked again
   * @throws IOException as for {@link #open}
   */
  SessionAnswer attach(AttachRequest request) throws IOException;

  /**
   * Renews a session, and says again where everything is, with fresh tokens: for when tokens are
   * about to expire, or a unit has moved.
   *
   * @param missingUnits as for {@link #open}
   * @param wholeGroup id of a group that is judged as if none of its units may be missing, whatever
   *     may be of others
   * @return granted; or refused, which does not end the session
   * @throws IOException as for {@link #open}
   */
  SessionAnswer locate(SessionId id, int missingUnits, OptionalLong wholeGroup) throws IOException;

  /**
   * Ends a session of the caller, who has stopped using it, and sets the file's modification time.
   *
   * @return closed, durable; refused when there is no such session (any more)
   * @throws IOException as for {@link #open}; then it is still open
   */
  SessionAnswer close(SessionId id) throws IOException;

  /**
   * Sessions of the caller, or of all for a superuser.
   *
   * @throws IOException as for {@link #open}
   */
  List<SessionStatus> list(boolean all) throws IOException;

  /**
   * Gives the file of a session another block group in the place of one that takes no more updates:
   * that of a copy, a closed file of the same policy and block size with this one group, which is
   * gone afterwards. That their bytes are the same is the caller's word, who may write the file.
   *
   * <p>A group that sessions use is healed so, when units of it are lost: the caller asks first,
   * without a copy and with {@code heldMs} 0, and only then locks all units that are left, and
   * keeps them locked until he is answered. It is refused unless the lost DataNodes have executed
   * nothing from when he asked on, and unless the units that are missing are those that he goes by,
   * as all go by who were allowed since. Afterwards no lost DataNode executes anything of the old
   * group, and each of the others does nothing of it from its next answer on; until then it is the
   * caller's locks that keep them from it, so nobody lets these go after the group was replaced.
   *
   * <p>Whoever holds locks asks under them, without a copy and with {@code heldMs} above 0, before
   * each time that he lets writers end, whether he still may. In a session one at a time heals a
   * group, with an attempt's number of his own, and locks nothing on an answer that he has given
   * up: the NameNode keeps in mind one asking for each group of a session. Who is refused as {@link
   * RefusalKind#NODE_BACK} releases its locks, and asks again, as another attempt, before he locks
   * again.
   *
   * @param groupId of the group that is replaced
   * @param copyPath of the copy, which the caller may read and delete; empty: it is only asked
   *     whether the group may be replaced
   * @param healing empty: the group is quiescent for good, all its units have said so
   * @return renewed: it is replaced, durable; or refused, which does not end the session
   * @throws IOException as for {@link #open}, and when a NameNode of the nameservice could not
   *     replay it
   */
  SessionAnswer replace(
      SessionId id, long groupId, Optional<String> copyPath, Optional<Healing> healing)
      throws IOException;

  /** Whether this NameNode can replay that a group was replaced, standby or not. */
  boolean isGuarded() throws IOException;

  /** DataNodes that can update replicas now, as they reported: to a standby, too. */
  List<UpdateNode> nodes() throws IOException;
}
