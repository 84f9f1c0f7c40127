# Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
#
# Adds the commands of the HDFS Parity Suite to Hadoop 3's shell. Copy it to
# ${HADOOP_CONF_DIR}/shellprofile.d/ on every host; the jars belong into
# ${HADOOP_HDFS_HOME}/share/hadoop/hdfs/lib/, where Hadoop's class path finds them.
#
#   hdfs parity status|doctor      all features: how they are, what is wrong and what to do
#   hdfs raidp ...                 administration of RAIDP
#   hdfs izs ...                   administration of IZS codes, levels and schemes
#   hdfs caso ...                  stripes organized by what is written together
#   hdfs ecupdate ...              bytes of erasure-coded files changed in place
#   hdfs --daemon start lstor      the Lstor daemon, beside each DataNode
#
# Hadoop reads this file with its own functions in place (hadoop_import_shellprofiles) and
# then calls hdfs_subcommand_NAME for a subcommand that is defined so.

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "parity" admin "show how the HDFS Parity Suite is, and what is wrong"
  hadoop_add_subcommand "raidp" admin "manage two replicas with intra-disk parity (RAIDP)"
  hadoop_add_subcommand "izs" admin "manage IZS codes, fault-tolerance levels and schemes"
  hadoop_add_subcommand "caso" client "organize stripes by what is written together"
  hadoop_add_subcommand "ecupdate" client "change bytes of erasure-coded files in place"
  hadoop_add_subcommand "lstor" daemon "run the Lstor daemon of RAIDP"
fi

## @description  parity command for hdfs
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_parity
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.admin.ParityAdmin
}

## @description  raidp command for hdfs
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_raidp
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.raidp.admin.RaidpAdmin
}

## @description  izs command for hdfs
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_izs
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.izs.admin.IzsAdmin
}

## @description  caso command for hdfs
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_caso
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.caso.admin.CasoAdmin
}

## @description  ecupdate command for hdfs
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_ecupdate
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.ecupdate.admin.EcUpdateAdmin
}

## @description  lstor command for hdfs
## @audience     public
## @stability    evolving
## @replaceable  yes
function hdfs_subcommand_lstor
{
  # shellcheck disable=SC2034
  HADOOP_SUBCMD_SUPPORTDAEMONIZATION="true"
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.raidp.lstord.LstorDaemon
}
