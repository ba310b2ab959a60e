<?php
// Lists the users who can change something, and resets some of them. Neither plugins nor the theme are loaded. Run by
// the platform; visitors cannot reach it.
$reset = json_decode( $_SERVER['NIDO_RESET'] ?? '[]', true );

require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

$found = get_users( array( 'capability' => 'edit_posts', 'number' => 200, 'orderby' => 'ID' ) );
foreach ( $found as $user ) {
	if ( in_array( $user->ID, $reset, true ) ) {
		WP_Session_Tokens::get_instance( $user->ID )->destroy_all();
		WP_Application_Passwords::delete_all_application_passwords( $user->ID );
		wp_set_password( wp_generate_password( 40 ), $user->ID );
		retrieve_password( $user->user_login );
	}
}

$users = array();
foreach ( $found as $user ) {
	$roles   = array_map( static fn ( $role ) => translate_user_role( wp_roles()->role_names[ $role ] ?? $role ), $user->roles );
	$users[] = array(
		'id'    => $user->ID,
		'login' => mb_substr( $user->user_login, 0, 100 ),
		'email' => mb_substr( $user->user_email, 0, 200 ),
		'role'  => mb_substr( implode( ', ', $roles ), 0, 300 ),
	);
}
echo wp_json_encode( array( 'users' => $users ), JSON_INVALID_UTF8_SUBSTITUTE );
