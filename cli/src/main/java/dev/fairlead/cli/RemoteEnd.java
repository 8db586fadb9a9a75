package dev.fairlead.cli;

import tools.jackson.databind.node.ObjectNode;

/**
 * How a transcode at a service ended for this command.
 *
 * @param job its id; empty if it did not come to one
 * @param state done, failed, cancelled, or paused if the command was stopped
 * @param error why it is not done; empty if it is
 * @param last its last event
 */
record RemoteEnd(
    RemoteOrder order, String job, int code, String state, String error, ObjectNode last) {
  boolean isPaused() {
    return state.equals("paused");
  }
}
